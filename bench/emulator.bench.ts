import { fileURLToPath } from 'node:url'
import { type BenchServer, startOurs, startVercel } from './emulator/server.ts'
import {
  bulkUpserts,
  type KeysByRange,
  makeLoneKeys,
  pointReads,
  pointUpserts,
  prepare,
  queriesByKey
} from './emulator/workloads.ts'

export const question =
  'How many operations does the emulator serve with one core, what do budgets cost, and how much memory do a million documents take?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 1_000_000)
const BULK = 20_000
const POINTS = 4000
const LONE_KEYS = 50

/**
 * All servers in turn, each in a process of its own. A rate is the number of operations for each second of CPU time of
 * the server.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const servers = [await startOurs('ours', false), await startOurs('ours, with budgets', true), await startVercel()]
  try {
    await compare(servers, report)
    await fill(servers[0], report)
  } finally {
    for (const server of servers) await server.stop()
  }
}

type Work = (server: BenchServer, keys: KeysByRange, round: number) => Promise<number>

const WORKS: Readonly<Record<string, Work>> = {
  'bulk upserts, new, 100 a request': async (server, keys, round) =>
    counted(BULK, bulkUpserts(server, keys, BULK, `new${round}`)),
  'bulk upserts, existing': async (server, keys, round) =>
    counted(BULK, bulkUpserts(server, keys, BULK, `new${round}`)),
  'point upserts': async (server) => counted(POINTS, pointUpserts(server, POINTS)),
  'point reads': async (server) => counted(POINTS, pointReads(server, POINTS))
}

async function counted(count: number, work: Promise<void>): Promise<number> {
  await work
  return count
}

async function compare(servers: readonly BenchServer[], report: (line: string) => void): Promise<void> {
  const keys = await Promise.all(servers.map(prepare))
  const rates = servers.map(() => Object.keys(WORKS).map((): number[] => []))
  for (let round = -1; round < ROUNDS; round++) {
    for (const [at, work] of Object.values(WORKS).entries()) {
      for (const [index, server] of servers.entries()) {
        const before = server.cpuMicros()
        const count = await work(server, keys[index], round)
        if (round >= 0) rates[index][at].push((count * 1e6) / (server.cpuMicros() - before))
      }
    }
  }
  for (const [at, name] of Object.keys(WORKS).entries()) {
    report(`  ${name}`)
    for (const [index, server] of servers.entries()) {
      const ratios = rates[index][at].map((rate, round) => rate / rates[0][at][round])
      const shown =
        index === 0
          ? ''
          : `${median(ratios).toFixed(2)}x of ours (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
      report(
        `    ${server.name.padEnd(28)} ${Math.round(median(rates[index][at])).toLocaleString('en').padStart(10)} a core-second   ${shown}`
      )
    }
  }
}

async function fill(server: BenchServer, report: (line: string) => void): Promise<void> {
  const keys = await prepare(server)
  await server.call('DELETE', '/dbs/bench')
  await prepare(server)
  await makeLoneKeys(server, LONE_KEYS)
  await queriesByKey(server, LONE_KEYS)
  const small = await queriesByKey(server, LONE_KEYS)
  await bulkUpserts(server, keys, DOCUMENTS, 'fill')
  const large = await queriesByKey(server, LONE_KEYS)
  report(`  ${DOCUMENTS.toLocaleString('en')} documents of 1 KB: ${server.residentMb().toFixed(0)} MB resident`)
  report(
    `  a query by key: ${small.toFixed(2)} ms among 1,000 documents, ${large.toFixed(2)} ms among ${DOCUMENTS.toLocaleString('en')}`
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run((line) => console.log(line))
