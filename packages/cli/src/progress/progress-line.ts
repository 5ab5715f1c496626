import type { FileProgress } from '@keystamp/stream'
import { bytesText, countOf, countText, durationText } from './units.ts'

/** Progress as a line of text: records, rate, and the time left where the size of the input is known. */
export function lineOf(progress: FileProgress): string {
  const { records, rejected, bytesRead, seconds, recordsPerSecond } = progress
  const share = shareOf(progress)
  const parts = [
    ...(share === undefined ? [] : [`${String(Math.floor(share * 100)).padStart(3)} %`]),
    countOf(records, 'record'),
    `${countOf(Math.round(recordsPerSecond), 'record')}/s`,
    `${bytesText(seconds > 0 ? bytesRead / seconds : 0)}/s`,
    ...(rejected === 0 ? [] : [`${countText(rejected)} rejected`]),
    ...(share === undefined || share === 0 || share >= 1 ? [] : [`${durationText((seconds * (1 - share)) / share)} left`])
  ]
  return parts.join('  ')
}

/** The same behind a bar, no wider than the terminal. */
export function barOf(progress: FileProgress, columns: number): string {
  const share = shareOf(progress)
  const line = lineOf(progress)
  const width = Math.min(30, columns - line.length - 4)
  const bar = share === undefined || width < 5 ? '' : `${'█'.repeat(Math.round(share * width)).padEnd(width, '░')}  `
  return (bar + line).slice(0, Math.max(10, columns - 1))
}

function shareOf({ bytesRead, bytesTotal }: FileProgress): number | undefined {
  return bytesTotal === undefined || bytesTotal === 0 ? undefined : Math.min(1, bytesRead / bytesTotal)
}
