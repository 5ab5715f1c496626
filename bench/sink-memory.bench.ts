import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { residentMbOf, tenthsOf } from './load/proc.ts'
import { createRepeatedRecords } from './sink/repeated-records.ts'
import { startSinkProcess } from './sink/sink-process.ts'
import { countWrites, PARTITIONS, startSinkWorld, withEmulator } from './sink/world.ts'

export const question = 'Does the memory of a sink stay flat?'

const MINUTES = Number(process.env['KEYSTAMP_BENCH_MINUTES'] ?? 20)
const PER_SECOND = 2000
const DISTINCT = 50_000
const EVERY_MS = 200

/** Produces records at a constant rate, and reads resident memory five times a second. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const topic = `steady-${randomUUID()}`
    await world.kafka.createTopic(topic, {
      partitions: PARTITIONS,
      config: { 'segment.bytes': '16777216', 'retention.bytes': '67108864' }
    })
    await withEmulator(async ({ endpoint, key }) => {
      const sink = await startSinkProcess(world, { topic, endpoint, key })
      const make = createRepeatedRecords(13, DISTINCT)
      const samples: number[] = []
      const startedMs = performance.now()
      let produced = 0
      for (let elapsedMs = 0; elapsedMs < MINUTES * 60_000; elapsedMs = performance.now() - startedMs) {
        const due = Math.floor((elapsedMs * PER_SECOND) / 1000) - produced
        if (due > 0) await world.kafka.produce(topic, Array.from({ length: due }, make))
        produced += due
        samples.push(residentMbOf(sink.pid))
        await setTimeout(EVERY_MS)
      }
      const written = await countWrites({ endpoint })
      report(
        `  ${written.toLocaleString('en')} of ${produced.toLocaleString('en')} records of 1 KB in ${MINUTES} minutes`
      )
      report(
        `  resident memory, maximum in each tenth of the time: ${tenthsOf(samples).join(', ')} MB; at most ${Math.round(sink.peakMb())} MB`
      )
      await sink.stop()
    })
  } finally {
    await world.stop()
  }
}
