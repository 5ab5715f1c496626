import { LATENCY_MS, UNTHROTTLED } from './writer/bench-container.ts'
import { median, ratioOf } from './writer/statistics.ts'
import { type Entry, type Costs, takeTurns } from './writer/turns.ts'

export const question = 'What does writing a record cost compared with the functions of the official client?'

const RECORDS = 10_000
/**
 * Length of the turn of each contestant. The beginning of a turn (`LEAD_MS`) is not measured, since the contestant
 * first has to fill the caches of the processor again.
 */
const TURN_MS = 2500
const LEAD_MS = 700
const ROUNDS = 9
/**
 * A writer lives as long as its service, so it is measured after V8 has stopped compiling its code, which takes about
 * 200,000 records.
 */
const WRITER_WARM_UP = 300_000
/** The functions of the client, which write a few thousand records a second, are at full speed after this number. */
const CLIENT_WARM_UP = 50_000

const ENTRIES: readonly Entry[] = [
  { name: 'executeBulkOperations, one call', way: 'bulk call', warmUp: CLIENT_WARM_UP / RECORDS },
  { name: 'items.bulk by range, 100 a call', way: 'by range', warmUp: CLIENT_WARM_UP / RECORDS },
  { name: 'writer.write, objects', way: 'write objects', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'writer.write, JSON bytes', way: 'write bytes', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'writer.submit, JSON bytes', way: 'submit bytes', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'JSON.parse, spread, JSON.stringify', way: 'yardstick', warmUp: CLIENT_WARM_UP / RECORDS }
]

/**
 * Upserts records of 1 KB. Each contestant has its own process and its own emulator, so that only its own time counts.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const taken = await takeTurns({
    entries: ENTRIES,
    records: RECORDS,
    target: UNTHROTTLED,
    rounds: ROUNDS,
    amount: { minMs: TURN_MS },
    prepare: (contestant) => contestant.write({ minMs: LEAD_MS })
  })
  report(
    `  ${shown(RECORDS)} upserts of 1 KB, 4 ranges, ${LATENCY_MS} ms latency, repeated for ${TURN_MS / 1000} s in each of ${ROUNDS} rounds; each way of writing in a process of its own, ` +
      `warmed up by ${shown(CLIENT_WARM_UP)} records (the client) or ${shown(WRITER_WARM_UP)} (the writer); CPU of that process a record:`
  )
  const yardstick = taken[taken.length - 1]
  for (const one of taken) report(lineOf(one, taken[0], yardstick))
}

function lineOf({ name, cpuMicros, ms }: Costs, first: Costs, yardstick: Costs): string {
  const micros = median(cpuMicros) / RECORDS
  const min = Math.min(...cpuMicros) / RECORDS
  const perSecond = RECORDS / (median(ms) / 1000)
  const ratio = ratioOf(first.cpuMicros, cpuMicros)
  const ofYardstick = ratioOf(cpuMicros, yardstick.cpuMicros)
  return `  ${name.padEnd(36)} ${micros.toFixed(1).padStart(6)} us (min ${min.toFixed(1)})   ${ratio.toFixed(1).padStart(4)}x less   ${ofYardstick.toFixed(2).padStart(5)} of the yardstick   ${Math.round(perSecond)} records/s`
}

function shown(count: number): string {
  return count.toLocaleString('en')
}
