import { createSettledPrefix, toPosition } from '@keystamp/core'
import { lineOf, measure } from './measure.ts'

export const question = 'What does it cost to know up to which offset all records are settled?'

const COUNT = 100_000
const BATCH = 500

/** Measures opening and settling together, with large offsets as in a long-lived partition. */
export async function run(report: (line: string) => void): Promise<void> {
  const first = 5_000_000_000
  const offsets = Array.from({ length: COUNT }, (_, index) => toPosition(first + index))
  const contestants = [
    { name: 'opened and settled, in order', run: () => settleInOrder() },
    { name: 'opened by 500, settled in another order', run: () => settleScattered() }
  ]
  for (const each of measure(contestants, { records: COUNT })) report(lineOf(each))

  function settleInOrder(): void {
    const prefix = createSettledPrefix({ first: toPosition(first) })
    for (const offset of offsets) {
      prefix.open(offset)
      prefix.settle(offset)
    }
  }

  function settleScattered(): void {
    const prefix = createSettledPrefix({ first: toPosition(first) })
    for (let start = 0; start < COUNT; start += BATCH) {
      for (let each = 0; each < BATCH; each++) prefix.open(offsets[start + each])
      for (let each = 0; each < BATCH; each++) prefix.settle(offsets[start + ((each * 7) % BATCH)])
    }
  }
}
