import { loadavg } from 'node:os'
import type { CopyCosts } from './move/copy-child.ts'
import { setThrottle, usedRu, withMovedContainers } from './move/moved-containers.ts'

export const question =
  'What does copying a document of a move cost in CPU, and how much of the target’s budget does a copy use?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 100_000)
const KB = 900
const UNTHROTTLED = { ruPerSecond: 400_000, throttle: false } as const
const ALL = { readShare: 10_000_000, writeShare: 10_000_000 }
const RU_OF_RANGE = 10_000
const TO_THE_END = { retryAfter: 'window', metadataRuPerSecond: 0 } as const

export async function run(report: (line: string) => void): Promise<void> {
  const say = (line: string): void => report(`  ${line} (load ${loadavg()[0].toFixed(1)})`)
  for (const { name, field, goalMicros } of [
    { name: 'key from the identity', field: '/id', goalMicros: 25 },
    { name: 'key from a field, with the index', field: '/date', goalMicros: 45 }
  ]) {
    const costs = await withMovedContainers(
      { documents: DOCUMENTS, textBytes: KB, emulator: UNTHROTTLED },
      ({ copy }) => copy({ field, ...ALL })
    )
    say(`${DOCUMENTS.toLocaleString('en')} documents of 1 KB, ${name}: ${textOf(costs, goalMicros)}`)
  }
  await useOfBudget(say)
}

function textOf(
  { seconds, microsPerDocument, microsInSecondHalf, anonymousMb }: CopyCosts,
  goalMicros: number
): string {
  const rate = Math.round(DOCUMENTS / seconds).toLocaleString('en')
  return `${microsPerDocument.toFixed(1)} us CPU each (goal ${goalMicros}), ${microsInSecondHalf.toFixed(1)} us in the second half, ${rate} a second, at most ${Math.round(anonymousMb)} MB anonymous memory`
}

/** Share of the budget of each second between the first copies and the last ones. */
async function useOfBudget(say: (line: string) => void): Promise<void> {
  const emulator = { ruPerSecond: 4 * RU_OF_RANGE, latencyMs: 5 }
  await withMovedContainers(
    { documents: 120_000, textBytes: KB, emulator },
    async ({ emulator: { endpoint }, copy }) => {
      await setThrottle(endpoint, TO_THE_END)
      const copied = copy({ field: '/id', readShare: 10_000_000, writeShare: '100%' })
      await sleep(4000)
      const [before, begun] = [await usedRu(endpoint, 'new'), performance.now()]
      await sleep(8000)
      const [after, seconds] = [await usedRu(endpoint, 'new'), (performance.now() - begun) / 1000]
      const shares = after.map((ru, range) => (ru - before[range]) / seconds / RU_OF_RANGE)
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
      const { throttled } = await copied
      say(
        `4 x 10,000 RU/s: ${percent(mean)} of the target's budget (goal 95 %; ranges ${percent(Math.min(...shares))} to ${percent(Math.max(...shares))}), ${throttled} throttled writes`
      )
    }
  )
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
