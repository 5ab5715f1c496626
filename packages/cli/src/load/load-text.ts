import type { LoadProgress, LoadSummary } from '@keystamp/load'
import { fitLine, type Piece, wholeLine } from '../progress/progress-view.ts'
import { ALL_REJECTED } from '../progress/stamp-text.ts'
import { countOf, countText, durationText } from '../progress/units.ts'

/** Summary of a load in a line, and the reasons of rejected records, a line a code. */
export function describeLoad(summary: LoadSummary, isDelete: boolean): string {
  const { written, unchanged, rejected, rejectedByCode, firstSkipped, chargedRu, operations, throttledOperations, seconds } = summary
  const rate = seconds > 0 ? `, ${countOf(Math.round((written + unchanged) / seconds), 'record')}/s` : ''
  const throttled = operations === 0 ? 0 : (throttledOperations / operations) * 100
  const others = unchanged === 0 ? '' : `, ${countText(unchanged)} left as they are`
  const line = `${countOf(written, 'record')} ${isDelete ? 'deleted' : 'written'}${others}, ${countText(rejected)} rejected; ${countText(Math.round(chargedRu))} RU, ${throttled.toFixed(1)} % throttled, in ${seconds.toFixed(1)} s${rate}`
  const codes = Object.entries(rejectedByCode).map(([code, count]) => `  ${code}: ${countText(count)}`)
  const first = firstSkipped === undefined ? [] : [`  The first: ${firstSkipped}`]
  const warnings = rejected > 0 && written + unchanged === 0 ? [ALL_REJECTED] : []
  return [line, ...codes, ...first, ...warnings].map((each) => `${each}\n`).join('')
}

/** Progress as a line of text. */
export function lineOfLoad(progress: LoadProgress): string {
  return wholeLine(piecesOf(progress))
}

/** The same after a bar, no wider than the terminal: the rates give way first. */
export function barOfLoad(progress: LoadProgress, columns: number): string {
  return fitLine(piecesOf(progress), progress.share, columns)
}

function piecesOf(progress: LoadProgress): readonly Piece[] {
  const { records, rejected, recordsPerSecond, ruPerSecond, budgetRuPerSecond, slowest, share, secondsLeft } = progress
  return [
    ...(share === undefined ? [] : [[0, `${String(Math.floor(share * 100)).padStart(3)} %`] as const]),
    [1, countOf(records, 'record')],
    ...(rejected === 0 ? [] : [[3, `${countText(rejected)} rejected`] as const]),
    ...(secondsLeft === undefined ? [] : [[2, `${durationText(secondsLeft)} left`] as const]),
    ...(slowest === undefined ? [] : [[5, `slowed by partition ${slowest.range} (${percentOf(slowest.share, 1)} %)`] as const]),
    [6, `${countOf(Math.round(recordsPerSecond), 'record')}/s`],
    [
      7,
      `${countText(Math.round(ruPerSecond))} RU/s${budgetRuPerSecond === undefined ? '' : ` (${percentOf(ruPerSecond, budgetRuPerSecond)} % of the budget)`}`
    ]
  ]
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 100)
}
