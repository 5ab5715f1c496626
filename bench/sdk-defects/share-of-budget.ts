import type { Emulator, EmulatorOptions } from '@keystamp/emulator'
import { MANY } from './child-works.ts'
import type { Defect } from './defect.ts'
import { inChild } from './in-child.ts'
import { withContainer, type BenchContainer, recordsOf } from './bench-container.ts'

const RU_PER_SECOND = 10_000
const SECONDS = 20
// minimum share of a client that only the budget limits
const GOOD_SHARE = 0.8

type RetryAfter = NonNullable<Exclude<EmulatorOptions['throttle'], boolean | undefined>['retryAfter']>

/** Share of the provisioned throughput that is used, with two kinds of retry-after. */
export const shareOfBudget: Defect = {
  title: `Few of the provisioned request units are used (4 x 2,500 RU/s, ${SECONDS} s; retry-after to the end of the second, or of 20 ms at most)`,
  show: async () => {
    const [sdk, ours] = [await shareOf(bySdk, 'window'), await shareOf(byOurs, 'window')]
    const [sdkCapped, oursCapped] = [await shareOf(bySdk, CAPPED), await shareOf(byOurs, CAPPED)]
    return { isSeen: sdk.share < GOOD_SHARE, sdk: sentenceOf(sdk, sdkCapped), ours: sentenceOf(ours, oursCapped) }
  }
}

const CAPPED: RetryAfter = { cappedMs: 20 }

function shareOf(write: (target: BenchContainer) => Promise<number>, retryAfter: RetryAfter): Promise<Used> {
  return withContainer({ ruPerSecond: RU_PER_SECOND, throttle: { retryAfter } }, async (target) =>
    usedOf(target.emulator, await write(target))
  )
}

async function bySdk({ emulator }: BenchContainer): Promise<number> {
  return (await inChild('many', emulator.endpoint, emulator.key, SECONDS * 1000)).ms
}

async function byOurs({ writer }: BenchContainer): Promise<number> {
  const start = performance.now()
  for (const record of recordsOf(MANY)) {
    if (performance.now() - start > SECONDS * 1000) break
    void writer.write({ kind: 'upsert', record })
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
  return performance.now() - start
}

interface Used {
  readonly share: number
  readonly throttledShare: number
}

function usedOf(emulator: Emulator, ms: number): Used {
  const [{ ranges }] = emulator.report().containers
  const used = ranges.reduce((sum, { usedRu }) => sum + usedRu, 0)
  const throttled = ranges.reduce((sum, { throttledOperations }) => sum + throttledOperations, 0)
  const operations = ranges.reduce((sum, { operations: served }) => sum + served, 0)
  return {
    share: used / ((RU_PER_SECOND * ms) / 1000),
    throttledShare: throttled / Math.max(1, operations + throttled)
  }
}

function sentenceOf(whole: Used, capped: Used): string {
  return `${shareText(whole)}; ${shareText(capped)}`
}

function shareText({ share, throttledShare }: Used): string {
  return `${(share * 100).toFixed(0)} % (${(throttledShare * 100).toFixed(1)} % of the operations throttled)`
}
