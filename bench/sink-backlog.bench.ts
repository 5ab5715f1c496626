import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createRepeatedRecords } from './sink/repeated-records.ts'
import { startSinkProcess, type Watched } from './sink/sink-process.ts'
import { countWrites, produceAll, startSinkWorld, withEmulator } from './sink/world.ts'

export const question =
  'How soon does a restarted sink with a backlog reach full speed, and how much memory does the backlog take?'

const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 1_000_000)
const DISTINCT = 50_000
/** Part of the backlog after which the first process is stopped. */
const FIRST_PART = 0.4
const STEP_MS = 500
const FULL_SPEED = 0.9

interface Sample {
  readonly seconds: number
  readonly perSecond: number
}

/** Stops the sink during its work, and starts it again with the rest of the backlog. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const topic = `backlog-${randomUUID()}`
    await produceAll(world.kafka, topic, RECORDS, createRepeatedRecords(11, DISTINCT))
    await withEmulator(async ({ endpoint, key }) => {
      const config = { kafka: { brokers: [world.brokers], topics: [topic], group: topic } }
      const start = (): Promise<Watched> => startSinkProcess(world, { topic, endpoint, key, config })
      report(`  ${RECORDS.toLocaleString('en')} records of 1 KB`)
      const stopped = await watchPace(await start(), endpoint, RECORDS * FIRST_PART)
      report(`  started               ${stopped}`)
      const restarted = await watchPace(await start(), endpoint, RECORDS)
      report(`  restarted             ${restarted}`)
    })
  } finally {
    await world.stop()
  }
}

/** Stops the process after this number of writes. */
async function watchPace(sink: Watched, endpoint: string, enough: number): Promise<string> {
  const startedMs = performance.now()
  const samples: Sample[] = []
  let before = { writes: await countWrites({ endpoint }), atMs: startedMs }
  while (before.writes < enough) {
    await setTimeout(STEP_MS)
    const now = { writes: await countWrites({ endpoint }), atMs: performance.now() }
    const perSecond = ((now.writes - before.writes) * 1000) / (now.atMs - before.atMs)
    samples.push({ seconds: (now.atMs - startedMs) / 1000, perSecond })
    before = now
  }
  const peakMb = sink.peakMb()
  await sink.stop()
  // the work may have ended before the last step did
  const paces = samples.slice(0, -1)
  const usual =
    paces.map(({ perSecond }) => perSecond).toSorted((one, other) => one - other)[Math.floor(paces.length / 2)] ?? 0
  const atSpeed = paces.find(({ perSecond }) => perSecond >= usual * FULL_SPEED)?.seconds ?? Number.NaN
  return `at full speed, ${Math.round(usual).toLocaleString('en')} records/s, within ${atSpeed.toFixed(1)} s of its start; at most ${Math.round(peakMb)} MB`
}
