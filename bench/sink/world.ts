import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorProcess, EmulatorReport } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, startKafka } from '@keystamp/testkit'
import { startLoadTarget } from '../load/target.ts'

export const PARTITIONS = 8

/** A Kafka broker, a client for it, and a temporary folder. */
export interface SinkWorld {
  readonly brokers: string
  readonly kafka: KafkaClient
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Starts a Kafka. If that is not possible, reports the reason and returns undefined. */
export async function startSinkWorld(report: (line: string) => void): Promise<SinkWorld | undefined> {
  const broker = await startKafka()
  if ('missing' in broker) {
    report(`  skipped: ${broker.missing}`)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const kafka = await connectKafka(broker.brokers)
  return {
    brokers: broker.brokers,
    kafka,
    folder,
    stop: async () => {
      await kafka.close()
      await broker.stop()
      await rm(folder, { recursive: true })
    }
  }
}

/** Calls `work` with an emulator without throttling, which has the container `d/c`. */
export async function withEmulator<T>(work: (emulator: EmulatorProcess) => Promise<T>): Promise<T> {
  const emulator = await startLoadTarget()
  pin(emulator.pid, 1)
  try {
    return await work(emulator)
  } finally {
    await emulator.stop()
  }
}

/** Number of writes that the emulator has applied so far. */
export async function countWrites({ endpoint }: Pick<EmulatorProcess, 'endpoint'>): Promise<number> {
  const { containers } = (await (await fetch(new URL('/_control/report', endpoint))).json()) as EmulatorReport
  return containers.reduce((sum, { ranges }) => sum + ranges.reduce((all, { operations }) => all + operations, 0), 0)
}

/** Creates a topic and produces records to it, in portions. */
export async function produceAll(
  kafka: KafkaClient,
  topic: string,
  count: number,
  make: () => { key: string; value: Buffer }
): Promise<void> {
  await kafka.createTopic(topic, { partitions: PARTITIONS })
  for (let made = 0; made < count; made += PORTION) {
    const records = Array.from({ length: Math.min(PORTION, count - made) }, make)
    await kafka.produce(topic, records)
  }
}

const PORTION = 2000

/** Pins a process to one processor, if the system supports that. */
export function pin(pid: number, processor: number): boolean {
  return spawnSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' }).status === 0
}
