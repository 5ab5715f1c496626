import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { IndexCosts } from './move/index-child.ts'

export const question =
  'What does the identity index of a move cost for each document, in CPU, memory and disk, compared with lmdb?'

const ENTRIES = (process.env['KEYSTAMP_BENCH_ENTRIES'] ?? '1000000,3000000').split(',').map(Number)
const CHILD = fileURLToPath(new URL('move/index-child.js', import.meta.url))

/** Each index and size in a process of its own. `KEYSTAMP_BENCH_ENTRIES=10000000` measures another size. */
export async function run(report: (line: string) => void): Promise<void> {
  const ways = isInstalled('lmdb') ? ['ours', 'lmdb'] : ['ours']
  if (ways.length === 1) report('  lmdb is not installed here: npm install --no-save lmdb@3.5.6')
  for (const entries of ENTRIES) {
    for (const way of ways) {
      const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
      const costs = await child<IndexCosts>(way, folder, entries)
      report(
        `  ${way} ${entries.toLocaleString('en').padStart(10)} entries: ${costs.addMicros.toFixed(2)} us CPU for find and add, ${costs.findMicros.toFixed(2)} us to find one, ${Math.round(entries / costs.seconds).toLocaleString('en')} a second`
      )
      report(
        `       ${' '.repeat(18)} ${Math.round(costs.anonymousMb)} MB anonymous memory, ${Math.round(costs.mappedMb)} MB of mapped files, ${Math.round(megabytesOf(folder))} MB on disk`
      )
      if (way === 'ours') {
        const opened = await child<{ seconds: number; cpuSeconds: number; anonymousMb: number }>('open', folder, 0)
        report(
          `       ${' '.repeat(18)} opened in ${opened.seconds.toFixed(1)} s (${opened.cpuSeconds.toFixed(1)} s CPU), then ${Math.round(opened.anonymousMb)} MB anonymous memory`
        )
      }
      rmSync(folder, { recursive: true })
    }
  }
}

async function child<Costs>(way: string, folder: string, entries: number): Promise<Costs> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, way, folder, String(entries)])
  return JSON.parse(stdout) as Costs
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

function megabytesOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1e6
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run((line) => console.log(line))
