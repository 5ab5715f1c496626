import { KeystampError, type RecordCode } from '@keystamp/core'

/** A record that got no key: which one, why, and the record itself. */
export interface Rejected<R = unknown> extends Place {
  readonly code: RecordCode
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
  /** One sentence that says where and why. Carries no value of the record. */
  readonly message: string
  /** The object as it came in, or the text of the JSON where bytes are stamped. */
  readonly record: R
  /** What a key function threw. */
  readonly cause?: unknown
}

/** Where in the input a record stands. */
export interface Place {
  /** The name of the input, where several are read. */
  readonly input?: string
  /** From 1 on; where the input is lines. */
  readonly line?: number
  /** From 0 on, among the records of the input; where it is an array or objects. */
  readonly index?: number
  /** From 0 on: the byte of the input at which the record begins, or reading it stopped. */
  readonly byte?: number
}

/** A place as the beginning of a sentence: `Line 3, byte 120 of a.ndjson`. */
export function describePlace({ input, line, index, byte }: Place): string {
  const parts: string[] = []
  if (line !== undefined) parts.push(`line ${line}`)
  if (index !== undefined) parts.push(`record ${index}`)
  if (byte !== undefined) parts.push(`byte ${byte}`)
  const place = parts.join(', ')
  return place.charAt(0).toUpperCase() + place.slice(1) + (input === undefined ? '' : ` of ${input}`)
}

/** A rejected record as a line of JSON; of what a key function threw only the message. */
export function rejectedLine({ cause, ...rest }: Rejected): string {
  const told = cause instanceof Error ? { ...rest, cause: cause.message } : rest
  return `${JSON.stringify(told)}\n`
}

/** Stops the work at a record that gets no key. `rejected` says which one and why. */
export class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected

  constructor(rejected: Rejected) {
    super('RECORD_REJECTED', rejected.message, rejected.cause === undefined ? undefined : { cause: rejected.cause })
    this.name = 'RecordRejectedError'
    this.rejected = rejected
  }
}

/** What to do with records that get no key. */
export interface RejectOptions<R = unknown> {
  /** `throw` stops at the first, `skip` leaves them out and counts them, a function is told of each and may throw. Default: `throw`. */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /** How many may be rejected before the work stops: a number, or a per cent of all records such as `1%`. Default: no limit. */
  readonly maxRejected?: number | `${number}%`
}
