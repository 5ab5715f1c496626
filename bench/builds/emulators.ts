import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type * as emulator from '@keystamp/emulator'
import { type BenchServer, connectTo } from '../emulator/server.ts'
import { bulkUpserts, type KeysByRange, pointReads, pointUpserts, prepare } from '../emulator/workloads.ts'

/** Work of a round in the process of an emulator, and the number of its documents. */
interface EmulatorCase {
  readonly documents: number
  readonly run: (server: BenchServer, keys: KeysByRange, round: number) => Promise<void>
}

const BULK = 2500
const POINTS = 1000
// number of rounds after which a new container keeps the memory small
const ROUNDS_OF_CONTAINER = 20

const CASES: Readonly<Record<string, EmulatorCase>> = {
  'bulk-new': { documents: BULK, run: (server, keys, round) => bulkUpserts(server, keys, BULK, `r${round}`) },
  'bulk-existing': { documents: BULK, run: (server, keys) => bulkUpserts(server, keys, BULK, 'same') },
  'point-upserts': { documents: POINTS, run: (server) => pointUpserts(server, POINTS) },
  'point-reads': { documents: POINTS, run: (server) => pointReads(server, POINTS) }
}

/** Names of the cases of the emulator, such as `emulator/bulk-new`. */
export const EMULATOR_CASES: readonly string[] = Object.keys(CASES).map((name) => `emulator/${name}`)

/** Microseconds of CPU time for each document in a round of both emulators. */
export interface EmulatorPair {
  readonly before: number
  readonly after: number
}

/**
 * Runs short rounds of a case in an emulator of each checkout in turn. Both processes live during all rounds, so that
 * start and compilation do not count.
 */
export async function measureEmulators(old: string, own: string, name: string, pairs: number): Promise<EmulatorPair[]> {
  const { documents, run } = CASES[name.slice('emulator/'.length)]
  const [before, after] = [await startFrom(old), await startFrom(own)]
  try {
    const rows: EmulatorPair[] = []
    let keys: readonly KeysByRange[] = []
    const measure = async (which: number, round: number): Promise<number> => {
      const server = [before, after][which]
      const begun = cpuMicrosOf(server.pid)
      await run(server, keys[which], round)
      return (cpuMicrosOf(server.pid) - begun) / documents
    }
    for (let pair = -WARM_UP; pair < pairs; pair++) {
      if ((pair + WARM_UP) % ROUNDS_OF_CONTAINER === 0) keys = await Promise.all([renew(before), renew(after)])
      // each of them is the first in half of the pairs
      const order = pair % 2 === 0 ? [0, 1] : [1, 0]
      const micros = [0, 0]
      for (const which of order) micros[which] = await measure(which, pair)
      if (pair >= 0) rows.push({ before: micros[0], after: micros[1] })
    }
    return rows
  } finally {
    await before.stop()
    await after.stop()
  }
}

const WARM_UP = 20

interface MeasuredServer extends BenchServer {
  readonly pid: number
}

async function startFrom(root: string): Promise<MeasuredServer> {
  const entry = pathToFileURL(`${root}/packages/emulator/dist/index.js`).href
  const { startEmulatorProcess } = (await import(entry)) as typeof emulator
  const started = await startEmulatorProcess({ auth: 'off', ranges: 10, ruPerSecond: 1_000_000, throttle: false })
  return { ...connectTo(root, new URL(started.endpoint), started.pid, started.stop), pid: started.pid }
}

/** Makes the container again, with what each case needs. */
async function renew(server: BenchServer): Promise<KeysByRange> {
  await server.call('DELETE', '/dbs/bench')
  const keys = await prepare(server)
  await bulkUpserts(server, keys, BULK, 'same')
  await pointUpserts(server, POINTS)
  return keys
}

/** The CPU time of all threads of a process. It is exact to a few microseconds, unlike the ticks of `stat`. */
function cpuMicrosOf(pid: number): number {
  const threads = `/proc/${pid}/task`
  let nanos = 0
  for (const thread of readdirSync(threads))
    nanos += Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0])
  return nanos / 1000
}
