import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { openMove } from '@keystamp/move'

/** Costs of a copy, from its start to its end and in its second half, in which the code is optimized. */
export interface CopyCosts {
  readonly seconds: number
  readonly microsPerDocument: number
  readonly microsInSecondHalf: number
  /** Highest anonymous memory. */
  readonly anonymousMb: number
  readonly throttled: number
}

/** Settings of one copy, as JSON in the first argument. */
export interface CopySettings {
  readonly endpoint: string
  readonly key: string
  /** `/id` for a key that follows from the identity; another field for one that needs the index. */
  readonly field: string
  readonly documents: number
  readonly journal: string
  /** Default of the command: 30% and 80%. */
  readonly readShare?: `${number}%` | number
  readonly writeShare?: `${number}%` | number
  /** Default: false. */
  readonly fence?: boolean
  /** Follows changes until standard input ends. */
  readonly follows?: boolean
  /** Account of the target. Default: that of the source. */
  readonly to?: { readonly endpoint: string; readonly key: string }
}

const settings = JSON.parse(process.argv[2]) as CopySettings
const { endpoint, key, documents, readShare, writeShare } = settings
const common = { endpoint, key, database: 'bench' }
const move = await openMove({
  from: { ...common, container: 'old', ...(readShare === undefined ? {} : { readShare }) },
  to: { ...common, ...settings.to, container: 'new', ...(writeShare === undefined ? {} : { writeShare }) },
  plan: { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: settings.field }] },
  journal: settings.journal,
  fence: settings.fence === true,
  // a comparison would be measured, too
  limits: { compareEveryMs: Number.MAX_SAFE_INTEGER }
})
const stop = new AbortController()
const cpuAtFirst = process.cpuUsage()
const begun = performance.now()
const running = move.run(stop.signal)
let anonymousMb = 0
let half: { readonly cpu: number; readonly stored: number } | undefined
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  const { copy } = move.status()
  const stored = copy?.counts.stored ?? 0
  anonymousMb = Math.max(anonymousMb, memoryMb())
  if (half === undefined && stored > documents / 2) half = { cpu: cpuMicros(), stored }
  if (copy?.isCopied === true && stored >= documents) break
}
const seconds = (performance.now() - begun) / 1000
const all = cpuMicros()
const { throttled } = move.status()
const costs: CopyCosts = {
  seconds,
  microsPerDocument: all / documents,
  microsInSecondHalf: (all - half!.cpu) / (documents - half!.stored),
  anonymousMb,
  throttled: throttled.to
}
process.stdout.write(`${JSON.stringify(costs)}\n`)
if (settings.follows === true) await once(process.stdin.resume(), 'end')
stop.abort()
await running
await move.close()

function cpuMicros(): number {
  const { user, system } = process.cpuUsage(cpuAtFirst)
  return user + system
}

function memoryMb(): number {
  const text = readFileSync('/proc/self/status', 'utf8')
  return Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024
}
