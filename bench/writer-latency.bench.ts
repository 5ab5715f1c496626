import { createTelemetry } from '@keystamp/testkit'
import { createBareRequests } from './writer/bare-request.ts'
import type { Contestant } from './writer/contestant.ts'
import { control, withContainer, LATENCY_MS, type BenchContainer, UNTHROTTLED } from './writer/bench-container.ts'
import { median, quantile, ratioOf } from './writer/statistics.ts'
import { type Entry, type Costs, takeTurns } from './writer/turns.ts'

export const question =
  'How long does it take to write a few hundred records, records that are throttled once, and a single record?'

const FLUSHED = 500
const IN_A_ROW = 5
const THROTTLED = 100
const RETRY_AFTER_MS = 50
const LONE = 500

/**
 * Number of records of the warm-up. Later optimizations of V8 are small compared with the latency. A call of the client
 * takes a second, also without a warm-up.
 */
const WRITER_WARM_UP = 50_000
const CLIENT_WARM_UP_CALLS = 3
/** Number of single records of the warm-up. One after another, they take twenty seconds. */
const LONE_WARM_UP = 2000

export async function run(report: (line: string) => void): Promise<void> {
  await compareFlushes(report)
  await withContainer(UNTHROTTLED, (target) => compareLoneRecords(target, report))
  await compareThrottled(report)
}

async function compareFlushes(report: (line: string) => void): Promise<void> {
  report(
    `  ${FLUSHED} records of 1 KB and a flush, ${IN_A_ROW} times one after another, ${LATENCY_MS} ms latency; for each flush:`
  )
  const turns = {
    entries: entriesFor(FLUSHED),
    records: FLUSHED,
    target: UNTHROTTLED,
    rounds: 7,
    amount: { times: IN_A_ROW }
  }
  reportTimes(await takeTurns(turns), report)
}

async function compareThrottled(report: (line: string) => void): Promise<void> {
  report(`  ${THROTTLED} operations of one range, each throttled once for ${RETRY_AFTER_MS} ms:`)
  // one range, so that one batch contains all operations
  const target = { ...UNTHROTTLED, emulator: { ...UNTHROTTLED.emulator, ranges: 1 } }
  const turns = { entries: entriesFor(THROTTLED), records: THROTTLED, target, rounds: 3, prepare: throttleOnce }
  reportTimes(await takeTurns(turns), report)
}

async function throttleOnce(contestant: Contestant): Promise<void> {
  const action = { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: RETRY_AFTER_MS }
  await control(contestant, 'DELETE', 'faults')
  await control(contestant, 'POST', 'faults', { on: 'bulkOperation', count: THROTTLED, action })
}

function entriesFor(records: number): readonly Entry[] {
  return [
    { name: 'executeBulkOperations', way: 'bulk call', warmUp: CLIENT_WARM_UP_CALLS },
    { name: 'writer.write and flush', way: 'write objects', warmUp: WRITER_WARM_UP / records }
  ]
}

function reportTimes(costs: readonly Costs[], report: (line: string) => void): void {
  for (const { name, ms } of costs) {
    const ratio = ratioOf(costs[0].ms, ms)
    report(
      `  ${name.padEnd(36)} ${median(ms).toFixed(1).padStart(7)} ms (${Math.min(...ms).toFixed(1)} to ${Math.max(...ms).toFixed(1)})   ${ratio.toFixed(1)}x faster`
    )
  }
}

/** Both run in one process: there is almost no garbage, and most of the time is waiting. */
async function compareLoneRecords(target: BenchContainer, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(1)
  const requests = await createBareRequests(target)
  const bare: number[] = []
  const own: number[] = []
  for (let count = -LONE_WARM_UP; count < LONE; count++) {
    const record = big()
    const bareMs = await timeOf(() => requests.send(record))
    const ownMs = await timeOf(() => target.writer.write({ kind: 'upsert', record }))
    if (count < 0) continue
    bare.push(bareMs)
    own.push(ownMs)
  }
  requests.end()
  report(`  A single record, ${LATENCY_MS} ms latency:`)
  report(lineOf('a bare request', bare))
  report(lineOf('writer.write', own))
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

function lineOf(name: string, ms: readonly number[]): string {
  return `  ${name.padEnd(36)} median ${median(ms).toFixed(2)} ms, p99 ${quantile(ms, 0.99).toFixed(2)} ms`
}
