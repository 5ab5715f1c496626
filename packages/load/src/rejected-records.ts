import { KeystampError } from '@keystamp/core'
import { openRejectFile, type RejectedLine } from '@keystamp/files/internal'
import { suggestField } from '@keystamp/core/internal'

/** A number of records, or a percentage of the records read. */
export type MaxRejected = number | `${number}%`

/** Options for rejected records. */
export interface RejectOptions {
  /** `throw` stops the load; `skip` counts the record; `collect` counts the record and writes it to a new file. */
  readonly onError: 'throw' | 'skip' | { readonly collect: string }
  /** Undefined: no limit. */
  readonly maxRejected: MaxRejected | undefined
}

/** The rejected records of one load. */
export interface RejectedRecords {
  /** Resolves when the record may be settled; rejects to stop the load. */
  readonly add: (rejected: RejectedLine, recordsRead: number) => Promise<void>
  /** Throws if more records were rejected than `maxRejected` allows. */
  readonly checkAtEnd: (recordsRead: number) => void
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
  readonly byCode: Readonly<Record<string, number>>
  /** Input, line and reason of the first skipped record. */
  readonly firstSkipped: () => string | undefined
}

/** Throws OPTION_INVALID if `max` is neither a number of records nor a percentage. */
export function checkMaxRejected(max: unknown): void {
  if (max === undefined || (typeof max === 'number' && Number.isInteger(max) && max >= 0)) return
  if (typeof max === 'string' && /^\d+(?:\.\d+)?%$/.test(max) && Number(max.slice(0, -1)) <= 100) return
  throw new KeystampError(
    'OPTION_INVALID',
    '`maxRejected` must be a whole number, or a percentage from 0% to 100% such as "1%".'
  )
}

/** Opens the file of rejected records if the options name one. A resumed load appends to it. */
export async function openRejectedRecords(
  { onError, maxRejected }: RejectOptions,
  isResumed: boolean
): Promise<RejectedRecords> {
  const rejects = typeof onError === 'object' ? await openRejectFile(onError.collect, isResumed) : undefined
  const byCode: Record<string, number> = {}
  let count = 0
  let last: RejectedLine | undefined
  let firstSkipped: string | undefined

  async function add(rejected: RejectedLine, recordsRead: number): Promise<void> {
    if (onError === 'throw') throw new KeystampError('RECORD_REJECTED', sentenceOf(rejected) + suggestionFor(rejected))
    count += 1
    last = rejected
    if (typeof maxRejected === 'number' || recordsRead >= MIN_RECORDS_FOR_PERCENTAGE) check(recordsRead)
    if (onError === 'skip') firstSkipped ??= sentenceOf(rejected) + suggestionFor(rejected)
    byCode[rejected.code] = (byCode[rejected.code] ?? 0) + 1
    await rejects?.add(rejected)
  }

  function check(recordsRead: number): void {
    if (maxRejected === undefined || last === undefined || !isOver(maxRejected, count, recordsRead)) return
    throw new KeystampError(
      'REJECTED_TOO_MANY',
      `${excessOf(maxRejected, count, recordsRead)} The last: ${sentenceOf(last)}`
    )
  }

  return {
    add,
    checkAtEnd: check,
    sync: async () => rejects?.sync(),
    close: async () => rejects?.close(),
    byCode,
    firstSkipped: () => firstSkipped
  }
}

// a percentage is not checked earlier, because a few rejected records at the beginning are a high percentage
const MIN_RECORDS_FOR_PERCENTAGE = 1000

function isOver(max: MaxRejected, count: number, recordsRead: number): boolean {
  if (typeof max === 'number') return count > max
  return count * 100 > Number(max.slice(0, -1)) * recordsRead
}

function excessOf(max: MaxRejected, count: number, recordsRead: number): string {
  if (typeof max === 'number') return `More than ${countOf(max)} ${max === 1 ? 'was' : 'were'} rejected.`
  return `${count.toLocaleString('en-US')} of ${countOf(recordsRead)} ${count === 1 ? 'was' : 'were'} rejected; the limit is ${max}.`
}

function suggestionFor({ code, path, record }: RejectedLine): string {
  const meant = code === 'FIELD_MISSING' && path !== undefined ? suggestField(path, record) : undefined
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function sentenceOf({ input, line, index, message }: RejectedLine): string {
  const record = index === undefined ? `line ${line}` : `record ${index}`
  return `${input === '-' ? 'Standard input' : input}, ${record}: ${message}`
}

function countOf(count: number): string {
  return `${count.toLocaleString('en-US')} record${count === 1 ? '' : 's'}`
}
