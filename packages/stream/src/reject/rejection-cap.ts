import { KeystampError } from '@keystamp/core'
import type { Counts } from '../flow/counts.ts'

/** Looks after the number of rejected records: throws REJECTED_TOO_MANY with the first few reasons. */
export interface RejectionCap {
  /** Called behind each rejection. */
  readonly check: (message: string) => void
  /** Called at the end, when the share of all records is known. */
  readonly checkAtEnd: () => void
}

const REASONS_KEPT = 5
// before so many records a per cent would stop at a few bad ones that happen to come first
const RECORDS_BEFORE_SHARE = 1000

export function createRejectionCap(max: number | `${number}%` | undefined, counts: Counts): RejectionCap {
  const reasons: string[] = []
  if (max === undefined) return { check: () => {}, checkAtEnd: () => {} }
  const isOver = typeof max === 'number' ? countOver(max) : shareOver(max)
  return {
    check: (message) => {
      if (reasons.length < REASONS_KEPT) reasons.push(message)
      if (isOver(counts, RECORDS_BEFORE_SHARE)) throw tooMany(max, counts, reasons)
    },
    checkAtEnd: () => {
      if (isOver(counts, 0)) throw tooMany(max, counts, reasons)
    }
  }
}

type IsOver = (counts: Counts, least: number) => boolean

function countOver(max: number): IsOver {
  if (Number.isInteger(max) && max >= 0) return ({ rejected }) => rejected > max
  throw wrongCap()
}

function shareOver(max: string): IsOver {
  const percent = /^\d+(\.\d+)?%$/.test(max) ? Number(max.slice(0, -1)) : Number.NaN
  if (percent <= 100) return ({ rejected, records }, least) => records >= least && rejected * 100 > percent * records
  throw wrongCap()
}

function wrongCap(): KeystampError {
  return new KeystampError('OPTION_INVALID', '`maxRejected` must be a whole number from 0 on, or a per cent from 0% to 100%, such as "1%".')
}

function tooMany(max: number | string, { rejected, records }: Counts, reasons: readonly string[]): KeystampError {
  const first = reasons.map((reason) => `\n  ${reason}`).join('')
  return new KeystampError(
    'REJECTED_TOO_MANY',
    `${rejected} of ${records} records were rejected; allowed were ${max}. The first reasons:${first}`
  )
}
