import { KeystampError, type RecordCode } from '@keystamp/core'

/** A record that got no key: its position, the reason, and the record itself. */
export interface Rejected<R = unknown> extends SourcePosition {
  readonly code: RecordCode
  /** JSON pointer to the field of the record; empty for the record as a whole. */
  readonly path: string
  /** Position and reason in one sentence, without values of the record. */
  readonly message: string
  /** The original object, or the JSON text where bytes are stamped. */
  readonly record: R
  /** Error that a key function threw. */
  readonly cause?: unknown
}

/** Position of a record in the input. */
export interface SourcePosition {
  /** Name of the input, where there are several. */
  readonly input?: string
  /** Line number from 1 on, where the input is lines. */
  readonly line?: number
  /** Index of the record in the input, from 0 on, where the input is an array or objects. */
  readonly index?: number
  /** Byte of the input at which the record begins, or at which reading it stopped; from 0 on. */
  readonly byte?: number
}

/** Formats a position as the beginning of a sentence: `Line 3, byte 120 of a.ndjson`. */
export function describePosition({ input, line, index, byte }: SourcePosition): string {
  const parts: string[] = []
  if (line !== undefined) parts.push(`line ${line}`)
  if (index !== undefined) parts.push(`record ${index}`)
  if (byte !== undefined) parts.push(`byte ${byte}`)
  const position = parts.join(', ')
  return position.charAt(0).toUpperCase() + position.slice(1) + (input === undefined ? '' : ` of ${input}`)
}

/** Formats a rejected record as a line of JSON; of an error that a key function threw, only the message. */
export function rejectedLine({ cause, ...rest }: Rejected): string {
  const printable = cause instanceof Error ? { ...rest, cause: cause.message } : rest
  return `${JSON.stringify(printable)}\n`
}

/** Error for a record that gets no key, where that ends the work. `rejected` has the position and the reason. */
export class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected

  constructor(rejected: Rejected) {
    super('RECORD_REJECTED', rejected.message, rejected.cause === undefined ? undefined : { cause: rejected.cause })
    this.name = 'RecordRejectedError'
    this.rejected = rejected
  }
}

/** Options for records that get no key. */
export interface RejectOptions<R = unknown> {
  /**
   * `throw` stops at the first, `skip` leaves them out and counts them, a function is called with each and may throw.
   * Default: `throw`.
   */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /**
   * Limit of rejected records after which the work stops: a number, or a percentage of all records such as `1%`.
   * Default: no limit.
   */
  readonly maxRejected?: number | `${number}%`
}
