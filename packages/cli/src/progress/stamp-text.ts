import type { FileProgress } from '@keystamp/files'
import type { Counts } from '@keystamp/stream'
import { fitLine, type Piece, wholeLine } from './progress-view.ts'
import { bytesText, countOf, countText, durationText } from './units.ts'

/** Summary of `stamp` in a line, and the reasons of rejected records, a line a code. */
export function describeStamp(
  { records, rejected, byCode, firstSkipped, bytesIn, bytesOut }: Counts,
  seconds: number
): string {
  const rate = seconds > 0 ? `, ${bytesText(bytesIn / seconds)}/s` : ''
  const stamped = countOf(records - rejected, 'record')
  const lines = [
    `${stamped} stamped, ${countText(rejected)} rejected; ${bytesText(bytesIn)} in, ${bytesText(bytesOut)} out in ${seconds.toFixed(1)} s${rate}`
  ]
  for (const [code, count] of Object.entries(byCode)) lines.push(`  ${code}: ${countText(count)}`)
  if (firstSkipped !== undefined) lines.push(`  The first: ${firstSkipped}`)
  if (records > 0 && records === rejected) lines.push(ALL_REJECTED)
  return lines.map((line) => `${line}\n`).join('')
}

/** Warning of a command that has ended without an error, but has written nothing. */
export const ALL_REJECTED = 'keystamp: warning: nothing was written: every record was rejected.'

/** Progress as a line of text: records, rate, and the time left if the size of the input is known. */
export function lineOfStamp(progress: FileProgress): string {
  return wholeLine(piecesOf(progress))
}

/** Progress as a bar and text, no wider than the terminal; the rates are left out first. */
export function barOfStamp(progress: FileProgress, columns: number): string {
  return fitLine(piecesOf(progress), shareOf(progress), columns)
}

function piecesOf(progress: FileProgress): readonly Piece[] {
  const { records, rejected, bytesRead, seconds, recordsPerSecond } = progress
  const share = shareOf(progress)
  return [
    ...(share === undefined ? [] : [[0, `${String(Math.floor(share * 100)).padStart(3)} %`] as const]),
    [1, countOf(records, 'record')],
    ...(rejected === 0 ? [] : [[3, `${countText(rejected)} rejected`] as const]),
    ...(share === undefined || share === 0 || share >= 1
      ? []
      : [[2, `${durationText((seconds * (1 - share)) / share)} left`] as const]),
    [5, `${countOf(Math.round(recordsPerSecond), 'record')}/s`],
    [6, `${bytesText(seconds > 0 ? bytesRead / seconds : 0)}/s`]
  ]
}

function shareOf({ bytesRead, bytesTotal }: FileProgress): number | undefined {
  return bytesTotal === undefined || bytesTotal === 0 ? undefined : Math.min(1, bytesRead / bytesTotal)
}
