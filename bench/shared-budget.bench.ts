import { startRedis } from '@keystamp/testkit'
import { spendTogether } from '../test/faults/shared-budget/spend-together.ts'

export const question =
  'How much of a budget do processes use together that share it through Redis, and do they keep within it?'

const SECONDS = 10
const BUDGETS = [
  { processes: 1, ranges: 4, ruPerSecond: 10_000 },
  { processes: 2, ranges: 2, ruPerSecond: 2000 },
  { processes: 2, ranges: 4, ruPerSecond: 10_000 },
  { processes: 3, ranges: 4, ruPerSecond: 20_000 }
]

/** Real processes, a real Redis, and an emulator that refuses what is too much. */
export async function run(report: (line: string) => void): Promise<void> {
  const redis = await startRedis()
  if ('missing' in redis) {
    report(`  skipped: ${redis.missing}`)
    return
  }
  try {
    for (const { processes, ranges, ruPerSecond } of BUDGETS) {
      const spent = await spendTogether({ processes, ranges, ruPerSecond, seconds: SECONDS, redis: redis.url })
      report(
        `  ${processes} process${processes === 1 ? '  ' : 'es'}, ${ranges} x ${(ruPerSecond / ranges).toLocaleString('en')} RU/s: ${percent(spent.usedShare)} used together ` +
          `(${spent.parts.map((part) => percent(part)).join(' and ')} of it), ${percent(spent.throttledShare)} of operations throttled; ` +
          `a range is sent ${percent(spent.mostShare)} of its budget at most within any second`
      )
    }
  } finally {
    await redis.stop()
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
