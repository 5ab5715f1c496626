import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClock } from '@keystamp/core/internal'
import { openFileTargetIndex } from '@keystamp/move'
import { discardingTarget, generatedSource } from './generated-feed.ts'
import { loadMoveParts } from './stored-page.ts'

/** Settings of one copy of generated documents, as JSON in the first argument. */
export interface GeneratedSettings {
  /** `/id` for a key that follows from the identity; another field for one that needs the index. */
  readonly field: string
  readonly documents: number
  readonly textBytes: number
  /** An empty folder. */
  readonly folder: string
}

/** Costs of such a copy. */
export interface GeneratedCosts {
  readonly seconds: number
  /** CPU for each document, also for making the pages of the feed. */
  readonly microsPerDocument: number
  /** Highest anonymous memory in each tenth of the documents. */
  readonly anonymousMb: readonly number[]
}

/** Modules of the package that it does not export. */
interface MoveParts {
  readonly Copier: new (options: object) => {
    readonly status: { readonly isCopied: boolean; readonly counts: { readonly stored: number } }
    readonly run: (signal: AbortSignal) => Promise<void>
  }
  readonly createPlanMapper: (options: object) => { readonly basis: 'identity' | 'fields' }
  readonly hashOfIdentity: (identity: object) => string
  readonly openFileJournal: (folder: string) => Promise<{
    readonly append: (entry: object) => Promise<void>
    readonly close: () => Promise<void>
  }>
}

const TENTHS = 10

const { field, documents, textBytes, folder } = JSON.parse(process.argv[2]) as GeneratedSettings
const { Copier, createPlanMapper, hashOfIdentity, openFileJournal } = await loadMoveParts<MoveParts>([
  'copy/copier.js',
  'digest/identity-hash.js',
  'documents/plan-mapper.js',
  'journal/file-journal.js'
])
const mapper = createPlanMapper({
  plan: { into: '/partitionKey', from: [{ field: '/deviceId' }, { field }] },
  sourceKeyPaths: [['deviceId']],
  sourceDefaultTtl: undefined,
  ttl: 'remaining'
})
const journal = await openFileJournal(join(folder, 'journal'))
await journal.append({
  type: 'begin',
  at: new Date().toISOString(),
  from: { name: 'bench/generated', rid: '' },
  to: { name: 'bench/discarding', rid: '' },
  plan: ''
})
const index = mapper.basis === 'fields' ? openFileTargetIndex(join(folder, 'index')) : undefined
const target = discardingTarget()
const copier = new Copier({
  source: generatedSource(documents, textBytes),
  target,
  mapper,
  index,
  journal,
  direction: 'forward',
  begin: 'beginning',
  readsVersions: false,
  clock: createClock(globalThis),
  wallMs: () => Date.now(),
  random: Math.random,
  hashOf: hashOfIdentity
})
const stop = new AbortController()
const cpuAtFirst = process.cpuUsage()
const begun = performance.now()
const running = copier.run(stop.signal)
const anonymousMb: number[] = []
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { isCopied, counts } = copier.status
  const tenth = Math.min(TENTHS - 1, Math.floor((TENTHS * counts.stored) / documents))
  anonymousMb[tenth] = Math.max(anonymousMb[tenth] ?? 0, memoryMb())
  if (isCopied && counts.stored >= documents) break
}
const { user, system } = process.cpuUsage(cpuAtFirst)
const seconds = (performance.now() - begun) / 1000
const costs: GeneratedCosts = { seconds, microsPerDocument: (user + system) / documents, anonymousMb }
process.stdout.write(`${JSON.stringify(costs)}\n`)
stop.abort()
await running
target.close()
await index?.close()
await journal.close()

function memoryMb(): number {
  const text = readFileSync('/proc/self/status', 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024
}
