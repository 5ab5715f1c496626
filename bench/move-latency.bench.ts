import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'
import type { ApplicationSettings, MeasuredRequests } from './move/measured-application.ts'
import { setThrottle, usedRu, withMovedContainers } from './move/moved-containers.ts'
import { median, quantile } from './writer/statistics.ts'

export const question = 'How much slower are the requests of an application while a move copies its container?'

const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 4)
const ROUND_SECONDS = Number(process.env['KEYSTAMP_BENCH_SECONDS'] ?? 8)
/** A change of the file `pause` is seen within half a second, and requests in flight end. */
const SETTLE_MS = 2000
const TEXT_BYTES = 4000
/** Each request takes at least this long: without it, the noise of the machine would be most of the latency. */
const LATENCY_MS = 5
/** So little that the share of the source limits the copy: reading a page costs much less than the requests for its documents. */
const SOURCE = { ranges: 2, ruPerSecond: 600, latencyMs: LATENCY_MS, throttle: false }
const TARGET = { ranges: 4, ruPerSecond: 400_000, containers: ['bench/new:/partitionKey'], operationLog: 0 }
/** More than the share can copy in all rounds: 12 MB a second. */
const DOCUMENTS = 3500 * ROUNDS * (ROUND_SECONDS + SETTLE_MS / 1000)
/** The application and the share use most of the throughput together at this rate. */
const PER_SECOND = 140
const APPLICATION = fileURLToPath(new URL('move/measured-application.js', import.meta.url))

interface Window {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * The latency from the time at which a request was due to its answer, as the application measures it, without a move,
 * and then in turn with a paused move and with one that copies. Source, target, move and application are processes.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const target = await startEmulatorProcess(TARGET)
  try {
    const containers = { documents: DOCUMENTS, textBytes: TEXT_BYTES, emulator: SOURCE }
    await withMovedContainers(containers, async ({ emulator, follow }) => {
      await setThrottle(emulator.endpoint, true)
      const application = startApplication(emulator)
      await delay(SETTLE_MS)
      const begunRu = await allUsedRu(emulator.endpoint)
      const alone = await windowOf(async () => {})
      const aloneRu = (await allUsedRu(emulator.endpoint)) - begunRu
      const { endpoint, key } = target
      const move = follow({ field: '/date', readShare: '30%', writeShare: '80%', to: { endpoint, key } })
      // rejects if the process ends
      const ended = move.isCopied.then(() => new Promise<never>(() => {}))
      while (!existsSync(join(move.journal, 'status.json'))) await Promise.race([ended, delay(50)])
      const pause = join(move.journal, 'pause')
      const rounds: { readonly paused: Window; readonly copying: Window; readonly sourceRu: number }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const paused = await windowOf(async () => writeFileSync(pause, ''))
        const ru = await allUsedRu(emulator.endpoint)
        const copying = await windowOf(async () => rmSync(pause))
        rounds.push({ paused, copying, sourceRu: (await allUsedRu(emulator.endpoint)) - ru })
      }
      const isDone = await Promise.race([move.isCopied.then(() => true), delay(10, false)])
      application.stdin!.end()
      const measured = JSON.parse(await text(application.stdout!)) as MeasuredRequests
      await move.stop()
      describe(measured, { ...alone, ru: aloneRu }, rounds).forEach(report)
      if (isDone) report('  NOT VALID: the copy ended before the last round.')
    })
  } finally {
    await target.stop()
  }
}

function startApplication({ endpoint, key }: EmulatorProcess): ChildProcess {
  const settings: ApplicationSettings = {
    endpoint,
    key,
    documents: DOCUMENTS,
    perSecond: PER_SECOND,
    textBytes: TEXT_BYTES
  }
  const child = spawn(process.execPath, [APPLICATION, JSON.stringify(settings)], { stdio: ['pipe', 'pipe', 'inherit'] })
  void once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`The application ended with exit code ${code}.`)
    return undefined
  })
  return child
}

async function windowOf(begin: () => Promise<void>): Promise<Window> {
  await begin()
  await delay(SETTLE_MS)
  const fromMs = Date.now()
  await delay(ROUND_SECONDS * 1000)
  return { fromMs, toMs: Date.now() }
}

async function allUsedRu(endpoint: string): Promise<number> {
  return (await usedRu(endpoint, 'old')).reduce((sum, ru) => sum + ru, 0)
}

function describe(
  measured: MeasuredRequests,
  alone: Window & { readonly ru: number },
  rounds: readonly { readonly paused: Window; readonly copying: Window; readonly sourceRu: number }[]
): readonly string[] {
  const [p99, p50] = [0.99, 0.5].map((share) => (window: Window) => quantile(latenciesIn(measured, window), share))
  const ratios = rounds.map(({ paused, copying }) => p99(copying) / p99(paused))
  const of = (name: 'paused' | 'copying', value: (window: Window) => number): string =>
    median(rounds.map((round) => value(round[name]))).toFixed(1)
  const partOf = (ru: number): string =>
    `${Math.round((100 * ru) / (SOURCE.ruPerSecond * (ROUND_SECONDS + SETTLE_MS / 1000)))} %`
  const requests = rounds.reduce((sum, { copying }) => sum + latenciesIn(measured, copying).length, 0)
  const throttled = (name: 'paused' | 'copying'): number =>
    rounds.reduce((sum, round) => sum + throttledIn(measured, round[name]), 0)
  return [
    `  ${PER_SECOND} requests a second by the official client, at least ${LATENCY_MS} ms each; ${partOf(alone.ru)} of the throughput of the source is used without a move, ${partOf(median(rounds.map(({ sourceRu }) => sourceRu)))} while it copies`,
    `  without a move: median ${p50(alone).toFixed(1)} ms, p99 ${p99(alone).toFixed(1)} ms`,
    `  medians of ${rounds.length} rounds of ${ROUND_SECONDS} s in turn, ${requests.toLocaleString('en')} requests: paused median ${of('paused', p50)} ms, p99 ${of('paused', p99)} ms, ${throttled('paused')} repetitions; copying median ${of('copying', p50)} ms, p99 ${of('copying', p99)} ms, ${throttled('copying')} repetitions`,
    `  p99 while copying at --share-from 30%: ${median(ratios).toFixed(2)}x of paused (goal 1.3x; rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; load ${loadavg()[0].toFixed(1)})`
  ]
}

function latenciesIn({ dueMs, latencyMs }: MeasuredRequests, { fromMs, toMs }: Window): readonly number[] {
  return latencyMs.filter((_, at) => dueMs[at] >= fromMs && dueMs[at] < toMs)
}

function throttledIn({ dueMs, throttled }: MeasuredRequests, { fromMs, toMs }: Window): number {
  return throttled.reduce((sum, count, at) => sum + (dueMs[at] >= fromMs && dueMs[at] < toMs ? count : 0), 0)
}
