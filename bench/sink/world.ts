import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorProcess, EmulatorReport } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, startKafka } from '@keystamp/testkit'
import { startLoadTarget } from '../load/target.ts'

export const PARTITIONS = 8

/** A broker, an emulator in a process of its own, and a place for files. */
export interface SinkWorld {
  readonly brokers: string
  readonly kafka: KafkaClient
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Undefined, with the reason reported, where there is no Kafka. */
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

/** Runs something against an emulator that refuses nothing and has the container `d/c`. */
export async function withEmulator<T>(work: (emulator: EmulatorProcess) => Promise<T>): Promise<T> {
  const emulator = await startLoadTarget()
  pin(emulator.pid, 1)
  try {
    return await work(emulator)
  } finally {
    await emulator.stop()
  }
}

/** How many writes were applied so far. */
export async function countWrites({ endpoint }: Pick<EmulatorProcess, 'endpoint'>): Promise<number> {
  const { containers } = (await (await fetch(new URL('/_control/report', endpoint))).json()) as EmulatorReport
  return containers.reduce((sum, { ranges }) => sum + ranges.reduce((all, { operations }) => all + operations, 0), 0)
}

/** Puts records into a topic, in portions. */
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

/** Keeps a process on one processor, where the system can. */
export function pin(pid: number, processor: number): boolean {
  return spawnSync('taskset', ['-acp', String(processor), String(pid)], { stdio: 'ignore' }).status === 0
}
