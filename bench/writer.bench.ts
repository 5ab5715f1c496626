import { LATENCY_MS, UNTHROTTLED } from './writer/place.ts'
import { median, ratioOf } from './writer/statistics.ts'
import { type Entry, type Taken, takeTurns } from './writer/turns.ts'

export const question = 'What does writing a record cost, compared with the official client?'

const RECORDS = 10_000
/**
 * Each writes for so long before the next one does, and is measured but for the beginning: until the processor's caches
 * are its own again.
 */
const TURN_MS = 2500
const LEAD_MS = 700
const ROUNDS = 9
/**
 * A writer lives as long as its service does: it is measured once V8 has stopped compiling it, which takes some 200,000
 * records.
 */
const WRITER_WARM_UP = 300_000
/** The client's ways are as fast then as they become; in a second they write a few thousand. */
const CLIENT_WARM_UP = 50_000

const ENTRIES: readonly Entry[] = [
  { name: 'executeBulkOperations, one call', way: 'bulk call', warmUp: CLIENT_WARM_UP / RECORDS },
  { name: 'items.bulk by range, 100 a call', way: 'by range', warmUp: CLIENT_WARM_UP / RECORDS },
  { name: 'writer.write, objects', way: 'write objects', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'writer.write, JSON bytes', way: 'write bytes', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'writer.submit, JSON bytes', way: 'submit bytes', warmUp: WRITER_WARM_UP / RECORDS },
  { name: 'JSON.parse, spread, JSON.stringify', way: 'yardstick', warmUp: CLIENT_WARM_UP / RECORDS }
]

/** 1 KB upserts from processes of their own against emulators of their own, so that only a client's own time counts. */
export async function run(report: (line: string) => void): Promise<void> {
  const taken = await takeTurns({
    entries: ENTRIES,
    records: RECORDS,
    place: UNTHROTTLED,
    rounds: ROUNDS,
    amount: { leastMs: TURN_MS },
    prepare: (contestant) => contestant.write({ leastMs: LEAD_MS })
  })
  report(
    `  ${shown(RECORDS)} upserts of 1 KB, 4 ranges, ${LATENCY_MS} ms latency, again and again for ${TURN_MS / 1000} s in each of ${ROUNDS} rounds; each way in a process of its own, ` +
      `warmed up by ${shown(CLIENT_WARM_UP)} records (the client) or ${shown(WRITER_WARM_UP)} (the writer); CPU of that process a record:`
  )
  const yardstick = taken[taken.length - 1]
  for (const one of taken) report(lineOf(one, taken[0], yardstick))
}

function lineOf({ name, cpuMicros, ms }: Taken, first: Taken, yardstick: Taken): string {
  const micros = median(cpuMicros) / RECORDS
  const least = Math.min(...cpuMicros) / RECORDS
  const perSecond = RECORDS / (median(ms) / 1000)
  const ratio = ratioOf(first.cpuMicros, cpuMicros)
  const ofYardstick = ratioOf(cpuMicros, yardstick.cpuMicros)
  return `  ${name.padEnd(36)} ${micros.toFixed(1).padStart(6)} us (least ${least.toFixed(1)})   ${ratio.toFixed(1).padStart(4)}x less   ${ofYardstick.toFixed(2).padStart(5)} of the yardstick   ${Math.round(perSecond)} records/s`
}

function shown(count: number): string {
  return count.toLocaleString('en')
}
