import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { GeneratedCosts, GeneratedSettings } from './move/generated-child.ts'
import { withMovedContainers } from './move/moved-containers.ts'

export const question = 'How much memory does a move take, and does it grow with the number of documents?'

/** Numbers of documents in the emulator; 3,000,000 take 6 GB there. */
const STORED = numbersOf(process.env['KEYSTAMP_BENCH_MEMORY'] ?? '1000000,3000000')
/** Number of documents that a source generates, for a target that discards them. */
const GENERATED = numbersOf(process.env['KEYSTAMP_BENCH_GENERATED'] ?? '10000000')
const UNTHROTTLED = { ruPerSecond: 400_000, throttle: false } as const
const ALL = { readShare: 10_000_000, writeShare: 10_000_000 }
const CHILD = fileURLToPath(new URL('move/generated-child.js', import.meta.url))
const MILLION = 1_000_000

/** Length of a string with which a document has 200 bytes, without system properties. */
const TEXT_BYTES = 110

/** Key from the identity, and key from a field, which needs the index; with the goals. */
const KEYS = [
  { name: 'key from the identity', field: '/id', goalMb: 250 },
  { name: 'key from a field, with the index', field: '/date', goalMb: 300 }
]

export async function run(report: (line: string) => void): Promise<void> {
  const say = (line: string): void => report(`  ${line} (load ${loadavg()[0].toFixed(1)})`)
  for (const { name, field, goalMb } of KEYS) {
    const taken: { readonly documents: number; readonly mb: number }[] = []
    for (const documents of STORED) {
      const emulator = UNTHROTTLED
      const { anonymousMb, microsPerDocument } = await withMovedContainers(
        { documents, textBytes: TEXT_BYTES, emulator },
        ({ copy }) => copy({ field, ...ALL })
      )
      taken.push({ documents, mb: anonymousMb })
      say(
        `${documents.toLocaleString('en')} documents of 200 bytes, ${name}: at most ${Math.round(anonymousMb)} MB anonymous memory (goal ${goalMb}), ${microsPerDocument.toFixed(1)} us CPU each`
      )
    }
    const [first, last] = [taken[0], taken.at(-1)]
    if (first === undefined || last === undefined || last.documents === first.documents) continue
    const growth = ((last.mb - first.mb) * MILLION) / (last.documents - first.documents)
    say(`  grows by ${growth.toFixed(1)} MB for each million (goal 10 for a key from the identity)`)
  }
  for (const documents of GENERATED) {
    for (const { name, field, goalMb } of KEYS) {
      const { anonymousMb, microsPerDocument } = await generated({ field, documents, textBytes: TEXT_BYTES })
      const growth = growthOf(anonymousMb, documents)
      say(
        `${documents.toLocaleString('en')} generated documents of 200 bytes, all discarded by the target, ${name}: at most ${Math.round(Math.max(...anonymousMb))} MB anonymous memory (goal ${goalMb}), grows by ${growth.toFixed(1)} MB for each million, ${microsPerDocument.toFixed(1)} us CPU each`
      )
      say(`  in each tenth: ${anonymousMb.map((mb) => Math.round(mb)).join(', ')} MB`)
    }
  }
}

/** Growth from the second and third tenth to the last two, for each million documents. */
function growthOf(tenths: readonly number[], documents: number): number {
  const [early, late] = [Math.max(...tenths.slice(1, 3)), Math.max(...tenths.slice(-2))]
  return ((late - early) * MILLION) / (0.7 * documents)
}

async function generated(settings: Omit<GeneratedSettings, 'folder'>): Promise<GeneratedCosts> {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  try {
    const child = spawn(process.execPath, [CHILD, JSON.stringify({ ...settings, folder })], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await once(child, 'close')
    return JSON.parse(text) as GeneratedCosts
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function numbersOf(list: string): readonly number[] {
  return list
    .split(',')
    .filter((text) => text !== '')
    .map(Number)
}
