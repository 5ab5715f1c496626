import type { WriterStats, WriteStrategy } from '@keystamp/cosmos'
import { ALL_REJECTED } from '../progress/summary.ts'
import { countOf, countText } from '../progress/units.ts'
import type { RejectPolicy } from './reject-policy.ts'
import type { LoadCounts } from './run-load.ts'

/** What was done, in a line; and why records were rejected, a line a code. */
export function describeLoad(
  { written, unchanged, rejected }: LoadCounts,
  { byCode, firstSkipped }: Pick<RejectPolicy, 'byCode' | 'firstSkipped'>,
  { chargedRu, operations, throttledOperations }: Pick<WriterStats, 'chargedRu' | 'operations' | 'throttledOperations'>,
  seconds: number,
  strategy: WriteStrategy
): string {
  const rate = seconds > 0 ? `, ${countOf(Math.round((written + unchanged) / seconds), 'record')}/s` : ''
  const throttled = operations === 0 ? 0 : (throttledOperations / operations) * 100
  const others = unchanged === 0 ? '' : `, ${countText(unchanged)} left as they are`
  const deed = strategy === 'delete' || strategy === 'deleteIfNotModified' ? 'deleted' : 'written'
  const summary = `${countOf(written, 'record')} ${deed}${others}, ${countText(rejected)} rejected; ${countText(Math.round(chargedRu))} RU, ${throttled.toFixed(1)} % throttled, in ${seconds.toFixed(1)} s${rate}`
  const codes = Object.entries(byCode).map(([code, count]) => `  ${code}: ${countText(count)}`)
  const first = firstSkipped() === undefined ? [] : [`  The first: ${firstSkipped()}`]
  const warnings = rejected > 0 && written + unchanged === 0 ? [ALL_REJECTED] : []
  return [summary, ...codes, ...first, ...warnings].map((line) => `${line}\n`).join('')
}
