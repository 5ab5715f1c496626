import { createTelemetry } from '@keystamp/lab'
import { inPlace, type Place } from './writer/place.ts'
import { median, ratioOf, type Taken, takeTurns } from './writer/turns.ts'
import { byBulkCall, byRange, bySubmit, byWrite } from './writer/ways.ts'

export const question = 'What does writing a record cost beside the ways of the official client?'

const RECORDS = 10_000
const ROUNDS = 7
const WARM_UP = 3
const LATENCY_MS = 5

/** 1 KB upserts against an emulator in another process, so that only the client's own time counts. */
export async function run(report: (line: string) => void): Promise<void> {
  const emulator = { ruPerSecond: 40_000, throttle: false, latencyMs: LATENCY_MS }
  await inPlace({ emulator, share: 10_000_000 }, async (place) => compareCost(place, report))
}

async function compareCost({ container, writer }: Place, report: (line: string) => void): Promise<void> {
  const { big } = createTelemetry(1)
  const records = Array.from({ length: RECORDS }, big)
  const bytes = records.map((record) => Buffer.from(JSON.stringify(record)))
  const objects = (): { kind: 'upsert'; record: object }[] => records.map((record) => ({ kind: 'upsert', record }))
  const json = (): { kind: 'upsert'; bytes: Buffer }[] => bytes.map((one) => ({ kind: 'upsert', bytes: one }))
  const taken = await takeTurns(
    [
      { name: 'executeBulkOperations, one call', run: byBulkCall(container, records) },
      { name: 'items.bulk by range, 100 a call', run: await byRange(container, records) },
      { name: 'writer.write, objects', run: () => byWrite(writer, objects()) },
      { name: 'writer.write, JSON bytes', run: () => byWrite(writer, json()) },
      { name: 'writer.submit, JSON bytes', run: () => bySubmit(writer, json()) }
    ],
    ROUNDS,
    WARM_UP
  )
  report(`  ${RECORDS} upserts of 1 KB, 4 ranges, ${LATENCY_MS} ms latency; CPU of this process a record:`)
  for (const one of taken) report(lineOf(one, taken[0]))
}

function lineOf({ name, cpuMicros, ms }: Taken, first: Taken): string {
  const micros = median(cpuMicros) / RECORDS
  const least = Math.min(...cpuMicros) / RECORDS
  const perSecond = RECORDS / (median(ms) / 1000)
  const ratio = ratioOf(first.cpuMicros, cpuMicros)
  return `  ${name.padEnd(36)} ${micros.toFixed(1).padStart(6)} us (least ${least.toFixed(1)})   ${ratio.toFixed(1)}x less   ${Math.round(perSecond)} records/s`
}
