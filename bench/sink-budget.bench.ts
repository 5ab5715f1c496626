import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type EmulatorProcess,
  type EmulatorReport,
  startEmulatorProcess,
  type ThrottleOptions
} from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/testkit'
import { startSinkProcess } from './sink/sink-process.ts'
import { PARTITIONS, produceAll, type SinkWorld, startSinkWorld } from './sink/world.ts'

export const question =
  'How much of the provisioned throughput does a sink with a backlog use, and how evenly do its partitions progress?'

const RANGES = 4
const RU_PER_RANGE = 2500
const SECONDS = Number(process.env['KEYSTAMP_BENCH_SECONDS'] ?? 15)
const RECORDS = 60_000

const POLICIES: readonly { readonly name: string; readonly throttle: ThrottleOptions }[] = [
  { name: 'retry-after to the end of the second', throttle: { retryAfter: 'window', metadataRuPerSecond: 0 } },
  { name: 'retry-after of 20 ms at most', throttle: { retryAfter: { cappedMs: 20 }, metadataRuPerSecond: 0 } }
]

/** Writes new documents with even labels. The first seconds, in which the sink learns prices, are not measured. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const topic = `backlog-${randomUUID()}`
    const { big } = createTelemetry(9)
    await produceAll(world.kafka, topic, RECORDS, () => {
      const record = { ...big(), day: '2018-08-09', partitionKey: undefined }
      return { key: record.deviceId, value: Buffer.from(JSON.stringify(record)) }
    })
    for (const { name, throttle } of POLICIES)
      report(`  ${`${RANGES} x ${RU_PER_RANGE} RU/s, ${name}`.padEnd(60)} ${await measure(world, topic, throttle)}`)
  } finally {
    await world.stop()
  }
}

async function measure(world: SinkWorld, topic: string, throttle: ThrottleOptions): Promise<string> {
  const emulator = await startEmulatorProcess({
    ranges: RANGES,
    ruPerSecond: RANGES * RU_PER_RANGE,
    throttle,
    auth: 'off',
    latencyMs: 10,
    operationLog: 0
  })
  try {
    const { endpoint, key } = emulator
    await create(`${endpoint}dbs`, { id: 'd' })
    await create(`${endpoint}dbs/d/colls`, {
      id: 'c',
      partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 }
    })
    const group = `group-${randomUUID()}`
    const config = {
      kafka: { brokers: [world.brokers], topics: [topic], group },
      plan: {
        into: '/partitionKey',
        from: [{ field: '/day', type: 'date' }],
        suffix: { by: '/VIN', count: 400, labels: 'even' }
      },
      commit: { every: '500ms' }
    }
    const sink = await startSinkProcess(world, { topic, endpoint, key, config })
    while ((await look(emulator)).usedRu === 0) await setTimeout(50)
    await setTimeout(3000)
    const settled = await positionsOf(world, group, topic)
    const before = { ...(await look(emulator)), atMs: performance.now() }
    await setTimeout(SECONDS * 1000)
    const after = await look(emulator)
    const seconds = (performance.now() - before.atMs) / 1000
    const paces = (await positionsOf(world, group, topic)).map((position, at) =>
      Math.round((position - settled[at]) / seconds)
    )
    await sink.stop()
    const share = (after.usedRu - before.usedRu) / seconds / (RANGES * RU_PER_RANGE)
    const throttled = (after.throttled - before.throttled) / (after.operations - before.operations)
    return (
      `${percent(share)} of the RU used, ${percent(throttled)} throttled; the ${PARTITIONS} partitions progress by ` +
      `${Math.min(...paces)} to ${Math.max(...paces)} records/s`
    )
  } finally {
    await emulator.stop()
  }
}

async function positionsOf({ kafka }: SinkWorld, group: string, topic: string): Promise<readonly number[]> {
  const committed = await kafka.committed(group, [topic])
  return committed.toSorted((one, other) => one.partition - other.partition).map(({ offset }) => Number(offset ?? 0))
}

async function look({
  endpoint
}: EmulatorProcess): Promise<{ readonly usedRu: number; readonly operations: number; readonly throttled: number }> {
  const { containers } = (await (await fetch(new URL('/_control/report', endpoint))).json()) as EmulatorReport
  const ranges = containers.flatMap((container) => container.ranges)
  const sum = (of: (range: (typeof ranges)[number]) => number): number =>
    ranges.reduce((total, range) => total + of(range), 0)
  return {
    usedRu: sum(({ usedRu }) => usedRu),
    operations: sum(({ operations }) => operations),
    throttled: sum(({ throttledOperations }) => throttledOperations)
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}
