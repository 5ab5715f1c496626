import { startRedis } from '@keystamp/testkit'
import { spendTogether } from '../test/faults/shared-budget/spend-together.ts'

export const question =
  'If processes share a budget through Redis, how much of it do they use, and do they stay within it?'

const SECONDS = 10
const BUDGETS = [
  { processes: 1, ranges: 4, ruPerSecond: 10_000 },
  { processes: 2, ranges: 2, ruPerSecond: 2000 },
  { processes: 2, ranges: 4, ruPerSecond: 10_000 },
  { processes: 3, ranges: 4, ruPerSecond: 20_000 }
]

/** Runs real processes with a real Redis, and an emulator that refuses operations beyond the budget. */
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
        `  ${processes} process${processes === 1 ? '  ' : 'es'}, ${ranges} x ${(ruPerSecond / ranges).toLocaleString('en')} RU/s: ${percent(spent.usedShare)} of the budget used ` +
          `(shares of the processes: ${spent.parts.map((part) => percent(part)).join(', ')}), ${percent(spent.throttledShare)} of operations throttled; ` +
          `at most ${percent(spent.maxShare)} of its budget sent to a range in any second`
      )
    }
  } finally {
    await redis.stop()
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
