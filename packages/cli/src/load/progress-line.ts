import { countOf, countText, durationText } from '../progress/units.ts'

/** How far a load is, at one moment. */
export interface LoadProgress {
  readonly records: number
  readonly rejected: number
  /** Since the last look. */
  readonly recordsPerSecond: number
  readonly ruPerSecond: number
  readonly budgetRuPerSecond: number | undefined
  readonly busyRanges: number
  readonly ranges: number
  /** Of the inputs' bytes; undefined where their size is not known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
}

/** Progress as a line of text. */
export function lineOfLoad(progress: LoadProgress): string {
  const { records, rejected, recordsPerSecond, ruPerSecond, budgetRuPerSecond, busyRanges, ranges, share, secondsLeft } = progress
  return [
    ...(share === undefined ? [] : [`${String(Math.floor(share * 100)).padStart(3)} %`]),
    countOf(records, 'record'),
    `${countOf(Math.round(recordsPerSecond), 'record')}/s`,
    `${countText(Math.round(ruPerSecond))} RU/s${budgetRuPerSecond === undefined ? '' : ` (${percentOf(ruPerSecond, budgetRuPerSecond)} % of the budget)`}`,
    ...(busyRanges === 0 ? [] : [`${busyRanges} of ${ranges} ranges busy`]),
    ...(rejected === 0 ? [] : [`${countText(rejected)} rejected`]),
    ...(secondsLeft === undefined ? [] : [`${durationText(secondsLeft)} left`])
  ].join('  ')
}

/** The same behind a bar, no wider than the terminal. */
export function barOfLoad(progress: LoadProgress, columns: number): string {
  const line = lineOfLoad(progress)
  const width = Math.min(30, columns - line.length - 4)
  const { share } = progress
  const bar = share === undefined || width < 5 ? '' : `${'█'.repeat(Math.round(share * width)).padEnd(width, '░')}  `
  return (bar + line).slice(0, Math.max(10, columns - 1))
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 100)
}
