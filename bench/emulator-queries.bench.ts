import { fileURLToPath } from 'node:url'
import { askAll, type AskedQuery, DOCS, fillContainer } from './emulator/queries.ts'
import { type Reader, startReader } from './emulator/reads.ts'
import { type BenchServer, startOurs } from './emulator/server.ts'

export const question =
  'How long do queries over a million documents of 1 KB take in the emulator, and how long do other requests wait meanwhile?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 1_000_000)
const KEYS = 20_000
const ASKED_KEYS = 31
// for so long reads are measured with and without queries
const READS_MS = 1000

/** Queries over many keys, and then over one key that has all documents. */
export async function run(report: (line: string) => void): Promise<void> {
  const server = await startOurs('ours', false)
  const reader = startReader(server, `${DOCS}/absent`, 'one')
  const measured = { server, reader, report }
  try {
    await measureManyKeys(measured)
    await measureOneKey(measured)
  } finally {
    await reader.stop()
    await server.stop()
  }
}

interface Bench {
  readonly server: BenchServer
  readonly reader: Reader
  readonly report: (line: string) => void
}

async function measureManyKeys(bench: Bench): Promise<void> {
  const { server, report } = bench
  const keys = Array.from({ length: Math.min(KEYS, DOCUMENTS) }, (_, n) => `key-${n}`)
  const ranges = await fillContainer(server, keys, DOCUMENTS)
  const some = keys.filter((_, n) => n % Math.floor(keys.length / ASKED_KEYS) === 0).slice(0, ASKED_KEYS)
  const list = some.map((key) => `"${key}"`).join(', ')
  const either = some.map((key) => `c.pk = "${key}"`).join(' OR ')
  const fraction = ASKED_KEYS * Math.floor(DOCUMENTS / keys.length)
  report(
    `  ${DOCUMENTS.toLocaleString('en')} documents, ${keys.length.toLocaleString('en')} keys, ${ranges.length} ranges`
  )
  const measure = (name: string, query: string, rows: number): Promise<void> =>
    measureQuery(bench, { name, asked: [{ query }], rows })
  await measure(`${ASKED_KEYS} keys by IN`, `SELECT * FROM c WHERE c.pk IN (${list})`, fraction)
  await measure(`${ASKED_KEYS} keys by OR`, `SELECT * FROM c WHERE ${either}`, fraction)
  await measure('... with another condition', `SELECT c.id FROM c WHERE (${either}) AND c.status = "none"`, 0)
  await measure('a condition on no key', 'SELECT * FROM c WHERE c.status = "none"', 0)
  const asked = ranges.map((range) => inRange(range, 'SELECT VALUE COUNT(1) FROM c'))
  await measureQuery(bench, { name: 'COUNT(1), range by range', asked, rows: ranges.length })
}

async function measureOneKey(bench: Bench): Promise<void> {
  const { server, report } = bench
  await fillContainer(server, ['one'], DOCUMENTS)
  report(`  ${DOCUMENTS.toLocaleString('en')} documents of one key`)
  const measure = (name: string, query: string, rows: number): Promise<void> =>
    measureQuery(bench, { name, asked: [ofKey(query)], rows })
  await measure('COUNT(1) of the key', 'SELECT VALUE COUNT(1) FROM c WHERE c.pk = "one"', 1)
  await measure('the largest value', 'SELECT VALUE MAX(c.n) FROM c', 1)
  const aggregates = 'COUNT(1) AS n, AVG(c.temperature) AS mean, MAX(c.n) AS most'
  await measure('GROUP BY, 100 groups', `SELECT ${aggregates} FROM c GROUP BY c.n % 100`, 100)
  await measure('GROUP BY, a group each', 'SELECT c.id, COUNT(1) AS n FROM c GROUP BY c.id', DOCUMENTS)
  await measure('GROUP BY the tags by JOIN', 'SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t', 2)
  await measure('the first ten by a value', 'SELECT c.id FROM c ORDER BY c.n DESC OFFSET 0 LIMIT 10', 10)
}

function inRange(range: string, query: string): AskedQuery {
  return { query, headers: { 'x-ms-documentdb-partitionkeyrangeid': range } }
}

function ofKey(query: string): AskedQuery {
  return { query, headers: { 'x-ms-documentdb-partitionkey': '["one"]' } }
}

interface Measured {
  readonly name: string
  readonly asked: readonly AskedQuery[]
  readonly rows: number
}

/**
 * Runs queries alone, which gives their time, and then again and again for a second while another client sends point
 * reads, which gives the time of the reads: a short query meets few reads, so that the slowest percent of them is only
 * seen over many queries.
 */
async function measureQuery({ server, reader, report }: Bench, { name, asked, rows }: Measured): Promise<void> {
  const times: number[] = []
  const runAll = async (): Promise<number> => {
    let total = 0
    let found = 0
    for (const query of asked) {
      const answer = await askAll(server, query)
      total += answer.ms
      found += answer.rows
    }
    if (found !== rows) throw new Error(`${name} returned ${found} rows instead of ${rows}.`)
    return total
  }
  const firstMs = await runAll()
  const before = server.cpuMicros()
  for (let round = 0; round < ROUNDS; round++) times.push(await runAll())
  const cpuMs = (server.cpuMicros() - before) / 1000 / ROUNDS
  const quiet = await reader.during(new Promise((resolve) => setTimeout(resolve, READS_MS)))
  const busyTimes: number[] = []
  const busy = await reader.during(repeat(async () => busyTimes.push(await runAll()), READS_MS))
  report(
    `    ${name.padEnd(28)} ${percentile(times, 0.5).toFixed(1).padStart(8)} ms alone (${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)}; first ${firstMs.toFixed(1)}), CPU of the emulator ${cpuMs.toFixed(0)} ms` +
      `   ${percentile(busyTimes, 0.5).toFixed(1)} ms with ${busy.length} reads: 99 % within ${percentile(busy, 0.99).toFixed(2)} ms, at most ${Math.max(...busy).toFixed(1)} ms (${percentile(quiet, 0.99).toFixed(2)} and ${Math.max(...quiet).toFixed(1)} without)`
  )
}

async function repeat(work: () => Promise<unknown>, forMs: number): Promise<void> {
  const endMs = performance.now() + forMs
  do await work()
  while (performance.now() < endMs)
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run((line) => console.log(line))
