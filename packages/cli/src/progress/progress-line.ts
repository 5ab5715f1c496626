import type { FileProgress } from '@keystamp/stream'
import { fitLine, type Piece, wholeLine } from './fit-line.ts'
import { bytesText, countOf, countText, durationText } from './units.ts'

/** Progress as a line of text: records, rate, and the time left where the size of the input is known. */
export function lineOf(progress: FileProgress): string {
  return wholeLine(piecesOf(progress))
}

/** The same after a bar, no wider than the terminal: the rates give way first. */
export function barOf(progress: FileProgress, columns: number): string {
  return fitLine(piecesOf(progress), shareOf(progress), columns)
}

function piecesOf(progress: FileProgress): readonly Piece[] {
  const { records, rejected, bytesRead, seconds, recordsPerSecond } = progress
  const share = shareOf(progress)
  return [
    ...(share === undefined ? [] : [[0, `${String(Math.floor(share * 100)).padStart(3)} %`] as const]),
    [1, countOf(records, 'record')],
    ...(rejected === 0 ? [] : [[3, `${countText(rejected)} rejected`] as const]),
    ...(share === undefined || share === 0 || share >= 1 ? [] : [[2, `${durationText((seconds * (1 - share)) / share)} left`] as const]),
    [5, `${countOf(Math.round(recordsPerSecond), 'record')}/s`],
    [6, `${bytesText(seconds > 0 ? bytesRead / seconds : 0)}/s`]
  ]
}

function shareOf({ bytesRead, bytesTotal }: FileProgress): number | undefined {
  return bytesTotal === undefined || bytesTotal === 0 ? undefined : Math.min(1, bytesRead / bytesTotal)
}
