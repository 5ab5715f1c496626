import type { Counts } from '@keystamp/stream'
import { bytesText, countOf, countText } from './units.ts'

/** What was done, in a line; and why records were rejected, a line a code. */
export function summaryOf({ records, rejected, byCode, firstSkipped, bytesIn, bytesOut }: Counts, seconds: number): string {
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

/** Warning for a command that ends well and has stored nothing. */
export const ALL_REJECTED = 'keystamp: warning: nothing was written: every record was rejected.'
