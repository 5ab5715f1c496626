// Compares the processor time of this checkout with that of another one, both built. The two alternate, so that the
// noise of the machine falls on both:
//   npm run bench:builds -- --old ../old                        all workloads, 15 pairs each
//   npm run bench:builds -- --old ../old --only bytes,sink --pairs 5
//   npm run bench:builds -- --old ../old --only keys            all plans of builds/key-cases.ts, over core alone
//   npm run bench:builds -- --old ../old --only bytes/suffix    one of them
//   npm run bench:builds -- --old ../old --only emulator --pairs 80
//                                                               writes and reads of the emulator, for each document
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type { EmulatorProcess } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/testkit'
import { EMULATOR_CASES, measureEmulators } from './builds/emulators.ts'
import { KEY_CASES } from './builds/key-cases.ts'
import { cpuSecondsOf } from './load/proc.ts'
import { startSinkProcess } from './sink/sink-process.ts'
import { countWrites, produceAll, type SinkWorld, startSinkWorld, withEmulator } from './sink/world.ts'

const CHILD = fileURLToPath(new URL('./builds/child.js', import.meta.url))
const NAMES = ['objects', 'lines', 'array', 'bytes', 'avro', 'envelope', 'writer', 'sink'] as const
const SINK_RECORDS = 100_000
/** Longest wait for the writes of a sink, in milliseconds. */
const MAX_WAIT_MS = 120_000

const { values: options } = parseArgs({
  options: {
    old: { type: 'string' },
    pairs: { type: 'string', default: '15' },
    only: { type: 'string', default: NAMES.join(',') }
  }
})
if (options.old === undefined) {
  console.error('--old names the folder of the other checkout, which must be built: npm ci installs and builds it.')
  process.exit(2)
}
const [old, own] = [resolve(options.old), resolve('.')]
const pairs = Number(options.pairs)
const wanted = options.only.split(',')
const names = [...NAMES, ...KEY_CASES, ...EMULATOR_CASES].filter(
  (name) =>
    wanted.includes(name) ||
    (wanted.includes('keys') && KEY_CASES.includes(name)) ||
    (wanted.includes('emulator') && EMULATOR_CASES.includes(name))
)
console.log(`Processor time a record: ${own} compared with ${old}, ${pairs} pairs, Node ${process.version}.`)
console.log('workload                    old us    new us    new/old, median    95 % interval of the median')
for (const name of names) console.log(await compare(name))

async function compare(name: string): Promise<string> {
  if (EMULATOR_CASES.includes(name)) return line(name, await measureEmulators(old, own, name, pairs))
  const world = name === 'sink' ? await startSinkWorld(console.log) : undefined
  if (name === 'sink' && world === undefined) return 'sink: skipped'
  const topic = `builds-${randomUUID()}`
  try {
    if (world !== undefined) await fill(world, topic)
    const measure = (root: string): Promise<number> => measureOne(root, name, world, topic)
    const rows: { readonly before: number; readonly after: number }[] = []
    for (let pair = 0; pair < pairs; pair++) {
      // each of them is the first in half of the pairs
      const first = await measure(pair % 2 === 0 ? old : own)
      const second = await measure(pair % 2 === 0 ? own : old)
      rows.push(pair % 2 === 0 ? { before: first, after: second } : { before: second, after: first })
    }
    return line(name, rows)
  } finally {
    await world?.stop()
  }
}

function line(name: string, rows: readonly { readonly before: number; readonly after: number }[]): string {
  const ratios = rows.map(({ before, after }) => after / before).toSorted((one, other) => one - other)
  const [low, high] = intervalOfMedian(ratios)
  const figures = [median(rows.map(({ before }) => before)), median(rows.map(({ after }) => after))].map((us) =>
    us.toFixed(us < 1 ? 4 : 2).padStart(10)
  )
  return `${name.padEnd(24)}${figures.join('')}${median(ratios).toFixed(3).padStart(19)}    ${low.toFixed(3)} to ${high.toFixed(3)}`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return (sorted[Math.floor((sorted.length - 1) / 2)] + sorted[Math.ceil((sorted.length - 1) / 2)]) / 2
}

/**
 * The order statistics between which the true median lies with a probability of at least 95 %, whatever the
 * distribution.
 */
function intervalOfMedian(sorted: readonly number[]): readonly [number, number] {
  const count = sorted.length
  let outside = 0
  let below = 1 / 2 ** count
  let rank = 0
  while (rank < count / 2 && 2 * (outside + below) <= 0.05) {
    outside += below
    rank++
    below = (below * (count - rank + 1)) / rank
  }
  // with fewer than six pairs it is the whole range, and means less than that
  const at = Math.max(rank - 1, 0)
  return [sorted[at], sorted[count - 1 - at]]
}

async function measureOne(root: string, name: string, world: SinkWorld | undefined, topic: string): Promise<number> {
  if (name === 'sink') return withEmulator((emulator) => measureSink(root, world!, topic, emulator))
  if (name === 'writer') return withEmulator(({ endpoint, key }) => runChild([root, name, endpoint, key]))
  return runChild([root, name])
}

async function runChild(words: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, ...words])
  return Number(stdout)
}

/** From a quarter of the records to the last, so that start and compilation do not count. */
async function measureSink(
  root: string,
  world: SinkWorld,
  topic: string,
  { endpoint, key }: EmulatorProcess
): Promise<number> {
  const sink = await startSinkProcess(world, { topic, endpoint, key, root })
  try {
    const begin = { writes: await reached(endpoint, SINK_RECORDS / 4), cpu: cpuSecondsOf(sink.pid) }
    const end = { writes: await reached(endpoint, SINK_RECORDS), cpu: cpuSecondsOf(sink.pid) }
    return ((end.cpu - begin.cpu) * 1e6) / (end.writes - begin.writes)
  } finally {
    await sink.stop()
  }
}

async function reached(endpoint: string, writes: number): Promise<number> {
  const endMs = performance.now() + MAX_WAIT_MS
  for (;;) {
    const now = await countWrites({ endpoint })
    if (now >= writes) return now
    if (performance.now() > endMs)
      throw new Error(`The sink wrote ${now} of ${writes} records in ${MAX_WAIT_MS / 1000} s.`)
    await new Promise((done) => {
      setTimeout(done, 10)
    })
  }
}

async function fill(world: SinkWorld, topic: string): Promise<void> {
  const { big } = createTelemetry(7)
  await produceAll(world.kafka, topic, SINK_RECORDS, () => {
    const record = { ...big(), day: '2018-08-09', partitionKey: undefined }
    return { key: record.deviceId, value: Buffer.from(JSON.stringify(record)) }
  })
}
