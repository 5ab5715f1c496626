import { randomUUID } from 'node:crypto'
import { type Consumer, type Log, defaultDependencies, readConfig } from '@keystamp/connector'
import { createTelemetry } from '@keystamp/testkit'
import { Kafka, logLevel } from 'kafkajs'
import { produceAll, type SinkWorld, startSinkWorld } from './sink/world.ts'

export const question = 'What does it cost to consume without losing records, compared with kafkajs alone?'

const RECORDS = 160_000
const ROUNDS = 5
const IDLE_MS = 5000
const TOPIC = 'consumed'

/** A consumer that reads the topic to its end, and then stays connected, so that its idle CPU time can be measured. */
interface Reading {
  /** Resolves with the microseconds of CPU time between the first batch and the last. */
  readonly read: () => Promise<number>
  readonly stop: () => Promise<void>
}

/**
 * Both consumers read the same records in turn. Idle CPU time of the bare consumer is measured first, before the sink's
 * consumer has patched kafkajs.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const telemetry = createTelemetry(42)
    await produceAll(world.kafka, TOPIC, RECORDS, () => {
      const record = telemetry.bigAscii()
      return { key: record.VIN, value: Buffer.from(JSON.stringify(record)) }
    })
    const idle = { bare: await measureIdle(bare(world)), ours: await measureIdle(await ours(world)) }
    const spent: { readonly bare: number[]; readonly ours: number[] } = { bare: [], ours: [] }
    for (let round = 0; round < ROUNDS; round++) {
      spent.bare.push(await measureReading(bare(world)))
      spent.ours.push(await measureReading(await ours(world)))
    }
    report(`  kafkajs alone        ${lineOf(spent.bare, idle.bare)}`)
    report(`  as the sink consumes ${lineOf(spent.ours, idle.ours)}`)
  } finally {
    await world.stop()
  }
}

function bare({ brokers }: SinkWorld): Reading {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING })
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 250 })
  return {
    read: async () => {
      await consumer.connect()
      await consumer.subscribe({ topic: TOPIC, fromBeginning: true })
      return new Promise<number>((resolve, reject) => {
        const count = createCounter(resolve)
        const eachBatch = async ({ batch }: { readonly batch: { readonly messages: readonly unknown[] } }) =>
          count(batch.messages.length)
        consumer.run({ autoCommit: false, eachBatch }).catch(reject)
      })
    },
    stop: () => consumer.disconnect()
  }
}

async function ours({ brokers }: SinkWorld): Promise<Reading> {
  const cosmos = { endpoint: 'http://127.0.0.1:1', key: 'bm9uZQ==', database: 'd', container: 'c' }
  const text = JSON.stringify({
    name: 'bench',
    kafka: { brokers: [brokers], topics: [TOPIC], group: randomUUID() },
    cosmos
  })
  const { sinks } = await readConfig(
    { name: 'bench.json', text },
    { env: {}, readFile: () => Promise.reject(new Error('none')) }
  )
  const consumer: Consumer = defaultDependencies(sinks[0], QUIET).createConsumer()
  return {
    read: () =>
      new Promise((resolve, reject) => {
        const count = createCounter(resolve)
        const received: Parameters<Consumer['start']>[0]['received'] = ({ records, next }) => {
          count(records.length)
          return next
        }
        consumer
          .start({
            assigned: () => {},
            rebalancing: () => {},
            learned: () => {},
            outOfRange: ({ to }) => to,
            received,
            failed: reject
          })
          .catch(reject)
      }),
    stop: () => consumer.stop()
  }
}

const QUIET: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** Counts the records, and calls `done` at the last one with the microseconds of CPU time since the first batch. */
function createCounter(done: (micros: number) => void): (records: number) => void {
  let count = 0
  let start: NodeJS.CpuUsage | undefined
  return (records) => {
    start ??= process.cpuUsage()
    count += records
    if (count >= RECORDS) done(spentSince(start))
  }
}

async function measureReading({ read, stop }: Reading): Promise<number> {
  const micros = await read()
  await stop()
  return micros / RECORDS
}

/** The share of a processor that a consumer uses while it waits for records. */
async function measureIdle({ read, stop }: Reading): Promise<number> {
  await read()
  const start = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const micros = spentSince(start)
  await stop()
  return micros / (IDLE_MS * 1000)
}

function spentSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return user + system
}

function lineOf(micros: readonly number[], idle: number): string {
  const sorted = micros.toSorted((a, b) => a - b)
  const median = sorted[sorted.length >> 1]
  return `${median.toFixed(2)} us of CPU a record of 1 KB (${sorted[0].toFixed(2)} to ${sorted.at(-1)!.toFixed(2)}); idle ${(idle * 100).toFixed(1)} % of a processor`
}
