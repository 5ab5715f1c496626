import { KeystampError } from '@keystamp/core'
import { suggestField as nearestField } from '@keystamp/core/internal'
import type { Counts } from '../counts.ts'
import type { Refusal } from '../key/key-stamper.ts'
import {
  describePosition,
  type SourcePosition,
  RecordRejectedError,
  type Rejected,
  type RejectOptions
} from './rejected.ts'

/** Handles records that get no key, as the options say. Throws if the work has to stop. */
export interface Rejector<R> {
  readonly reject: (refusal: Refusal, position: SourcePosition, record: () => R) => void
  /** Called once, after the last record. */
  readonly finish: () => void
}

export function createRejector<R>(options: RejectOptions<R>, counts: Counts): Rejector<R> {
  const { onError = 'throw', maxRejected } = options
  if (onError !== 'throw' && onError !== 'skip' && typeof onError !== 'function') {
    throw new KeystampError(
      'OPTION_INVALID',
      '`onError` must be "throw", "skip", { collect: a writable stream } or a function.'
    )
  }
  const cap = createRejectionCap(maxRejected, counts)
  return { reject, finish: cap.checkAtEnd }

  function reject(refusal: Refusal, position: SourcePosition, record: () => R): void {
    counts.rejected++
    counts.byCode[refusal.code] = (counts.byCode[refusal.code] ?? 0) + 1
    const message = `${describePosition(position)}: ${refusal.message}`
    if (onError === 'throw')
      throw new RecordRejectedError(withSuggestion(toRejected(refusal, position, message, record())))
    if (onError !== 'skip') onError(toRejected(refusal, position, message, record()))
    else counts.firstSkipped ??= withSuggestion(toRejected(refusal, position, message, record())).message
    cap.check(message)
  }
}

/**
 * Adds a suggestion to the message. This reads the record, so it is done only for a record that stops the work, and for
 * the first skipped record.
 */
function withSuggestion<R>(rejected: Rejected<R>): Rejected<R> {
  const meant = rejected.code === 'FIELD_MISSING' ? suggestField(rejected.path, rejected.record) : undefined
  return meant === undefined ? rejected : { ...rejected, message: `${rejected.message} Did you mean ${meant}?` }
}

function toRejected<R>(refusal: Refusal, position: SourcePosition, message: string, record: R): Rejected<R> {
  const { code, path, cause } = refusal
  return { ...position, code, path, message, record, ...(cause === undefined ? {} : { cause }) }
}

/** Limits the number of rejected records: throws REJECTED_TOO_MANY with the first few reasons. */
interface RejectionCap {
  /** Called after each rejection. */
  readonly check: (message: string) => void
  /** Called at the end, when the percentage of all records is known. */
  readonly checkAtEnd: () => void
}

const REASONS_KEPT = 5
// a percentage is checked from this number of records on, because a few rejected records at the beginning are a high
// percentage
const RECORDS_BEFORE_SHARE = 1000

function createRejectionCap(max: number | `${number}%` | undefined, counts: Counts): RejectionCap {
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

type IsOver = (counts: Counts, minRecords: number) => boolean

function countOver(max: number): IsOver {
  if (Number.isInteger(max) && max >= 0) return ({ rejected }) => rejected > max
  throw wrongCap()
}

function shareOver(max: string): IsOver {
  const percent = /^\d+(\.\d+)?%$/.test(max) ? Number(max.slice(0, -1)) : Number.NaN
  if (percent <= 100)
    return ({ rejected, records }, minRecords) => records >= minRecords && rejected * 100 > percent * records
  throw wrongCap()
}

function wrongCap(): KeystampError {
  return new KeystampError(
    'OPTION_INVALID',
    '`maxRejected` must be a whole number from 0 on, or a percentage from 0% to 100%, such as "1%".'
  )
}

function tooMany(max: number | string, { rejected, records }: Counts, reasons: readonly string[]): KeystampError {
  const first = reasons.map((reason) => `\n  ${reason}`).join('')
  return new KeystampError(
    'REJECTED_TOO_MANY',
    `${rejected} of ${records} records were rejected; the limit is ${max}. The first reasons:${first}`
  )
}

/**
 * Finds the field of a record whose name is most similar to a missing field. Both are JSON pointers. Returns undefined
 * if no name is similar enough.
 */
export function suggestField(missing: string, record: unknown): string | undefined {
  return nearestField(missing, record)
}
