import { fitLine, type Piece, wholeLine } from '../progress/fit-line.ts'
import { countOf, countText, durationText } from '../progress/units.ts'

/** How far a load is, at one moment. */
export interface LoadProgress {
  readonly records: number
  readonly rejected: number
  /** Since the last look. */
  readonly recordsPerSecond: number
  readonly ruPerSecond: number
  readonly budgetRuPerSecond: number | undefined
  /** The physical partition that the others wait for, and its share of the RU; undefined while the load is even, or nothing waits. */
  readonly slowest: { readonly range: string; readonly share: number } | undefined
  /** Of the inputs' bytes; undefined where their size is not known. */
  readonly share: number | undefined
  readonly secondsLeft: number | undefined
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
