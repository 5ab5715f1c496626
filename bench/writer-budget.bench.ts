import { createTelemetry } from '@keystamp/testkit'
import type { EmulatorReport, ThrottleOptions } from '@keystamp/emulator'
import { control, withContainer, type BenchContainer } from './writer/bench-container.ts'

export const question = 'How much of the provisioned throughput is used?'

const RANGES = 4
const SECONDS = 10
const LATENCY_MS = 10

interface Case {
  readonly name: string
  readonly ruPerRange: number
  readonly throttle: ThrottleOptions
}

const TO_THE_END: ThrottleOptions = { retryAfter: 'window', metadataRuPerSecond: 0 }
const CAPPED: ThrottleOptions = { retryAfter: { cappedMs: 20 }, metadataRuPerSecond: 0 }
const CASES: readonly Case[] = [
  { name: 'retry-after to the end of the second', ruPerRange: 2500, throttle: TO_THE_END },
  { name: 'retry-after of 20 ms at most', ruPerRange: 2500, throttle: CAPPED },
  { name: 'retry-after to the end of the second', ruPerRange: 10_000, throttle: TO_THE_END },
  { name: 'retry-after of 20 ms at most', ruPerRange: 10_000, throttle: CAPPED },
  {
    name: 'debt carried over, whole requests refused',
    ruPerRange: 2500,
    throttle: { ...TO_THE_END, debt: 'carried', bulk: 'request' }
  },
  {
    name: 'a token bucket, which refills evenly',
    ruPerRange: 2500,
    throttle: { ...TO_THE_END, window: 'token-bucket' }
  }
]

/**
 * Writes new documents of 1 KB with even keys, as fast as the budget allows. The first two seconds, in which the writer
 * learns prices, are not measured.
 */
export async function run(report: (line: string) => void): Promise<void> {
  for (const { name, ruPerRange, throttle } of CASES) {
    const emulator = { ranges: RANGES, ruPerSecond: RANGES * ruPerRange, throttle, latencyMs: LATENCY_MS }
    await withContainer({ emulator }, async (target) => {
      const before = await writeFor(target, 2)
      const after = await writeFor(target, SECONDS)
      report(`  ${`${RANGES} x ${ruPerRange} RU/s, ${name}`.padEnd(62)} ${summary(before, after, ruPerRange)}`)
      await target.writer.close(0)
    })
  }
}

interface Moment {
  readonly atMs: number
  readonly cpuMicros: number
  readonly usedRu: readonly number[]
  readonly operations: number
  readonly throttled: number
}

const { big } = createTelemetry(5)

async function writeFor({ emulator, writer }: BenchContainer, seconds: number): Promise<Moment> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    writer.submit({ kind: 'upsert', record: big() }, () => {})
    if (!writer.hasRoom()) await writer.room()
  }
  const { usage, atMs } = { usage: process.cpuUsage(), atMs: performance.now() }
  const { containers } = (await control(emulator, 'GET', 'report')) as EmulatorReport
  const { ranges } = containers[0]
  return {
    atMs,
    cpuMicros: usage.user + usage.system,
    usedRu: ranges.map(({ usedRu }) => usedRu),
    operations: ranges.reduce((sum, range) => sum + range.operations, 0),
    throttled: ranges.reduce((sum, range) => sum + range.throttledOperations, 0)
  }
}

function summary(before: Moment, after: Moment, ruPerRange: number): string {
  const seconds = (after.atMs - before.atMs) / 1000
  const shares = after.usedRu.map((usedRu, range) => (usedRu - before.usedRu[range]) / seconds / ruPerRange)
  const throttled = after.throttled - before.throttled
  const share = throttled / (after.operations - before.operations + throttled)
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length
  const cpu = (after.cpuMicros - before.cpuMicros) / 1e6 / seconds
  return `${percent(mean)} (ranges ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}), throttled ${percent(share)}, CPU ${percent(cpu)}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
