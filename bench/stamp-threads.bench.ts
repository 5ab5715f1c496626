import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createRecordMaker } from './planner/records.ts'

export const question =
  'How long does keystamp stamp take for a large file, with and without threads, compared with a copy by Node?'

const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 2_000_000)
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/tenantId' }] }

/** Wall time of each way, in turn, to /dev/null and to a file. */
export async function run(report: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  const path = (name: string): string => join(folder, name)
  try {
    writeFileSync(path('plan.json'), JSON.stringify(PLAN))
    await makeFile(path('in.ndjson'))
    const threads = String(availableParallelism())
    for (const output of ['/dev/null', path('out.ndjson')]) {
      const stamp = (...options: readonly string[]) => ({
        seconds: () =>
          secondsOf(COMMAND, 'stamp', path('in.ndjson'), '--plan', path('plan.json'), '-o', output, '-q', ...options)
      })
      const ways = [
        { name: 'one thread', ...stamp() },
        { name: `--threads ${threads}`, ...stamp('--threads', threads) },
        { name: 'copy by Node', seconds: () => copy(path('in.ndjson'), output) }
      ]
      const times = ways.map((): number[] => [])
      for (let round = 0; round < ROUNDS; round++)
        for (const [index, { seconds }] of ways.entries()) {
          times[index].push(await seconds())
          if (output !== '/dev/null') rmSync(output)
        }
      const medians = times.map((each) => each.toSorted((a, b) => a - b)[each.length >> 1])
      report(
        `  ${RECORDS.toLocaleString('en')} records of 1 KB to ${output === '/dev/null' ? output : 'a file'}: ${ways
          .map(({ name }, index) => `${name} ${medians[index].toFixed(2)} s`)
          .join(
            ', '
          )}; ${(medians[0] / medians[1]).toFixed(2)} times as fast with threads, ${((100 * medians[2]) / Math.min(medians[0], medians[1])).toFixed(0)} % of the speed of the copy (load ${loadavg()[0].toFixed(1)})`
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function secondsOf(...args: readonly string[]): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`The command ended with ${code}.`)
  return (performance.now() - begun) / 1000
}

async function copy(from: string, to: string): Promise<number> {
  const begun = performance.now()
  await pipeline(createReadStream(from), createWriteStream(to))
  return (performance.now() - begun) / 1000
}

async function makeFile(path: string): Promise<void> {
  const { bytes, next } = createRecordMaker(1)
  const length = bytes.length + 1
  const file = createWriteStream(path)
  for (let written = 0; written < RECORDS;) {
    const many = Math.min(1000, RECORDS - written)
    const chunk = Buffer.alloc(many * length, '\n')
    for (let record = 0; record < many; record++) {
      next()
      chunk.set(bytes, record * length)
    }
    written += many
    if (!file.write(chunk)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
}
