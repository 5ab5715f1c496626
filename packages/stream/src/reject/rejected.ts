import { KeystampError, type RecordCode } from '@keystamp/core'

/** A record that got no key: its position, the reason, and the record itself. */
export interface Rejected<R = unknown> extends SourcePosition {
  readonly code: RecordCode
  /** JSON pointer to the field of the record; empty for the record as a whole. */
  readonly path: string
  /** Position and reason in one sentence, without values of the record. */
  readonly message: string
  /** The original object, or the JSON text if bytes are stamped. */
  readonly record: R
  /** Error that a key function threw. */
  readonly cause?: unknown
}

/** Position of a record in the input. */
export interface SourcePosition {
  /** Name of the input, if there are several. */
  readonly input?: string
  /** Line number, starting at 1, if the input is lines. */
  readonly line?: number
  /** Index of the record in the input, starting at 0, if the input is an array or objects. */
  readonly index?: number
  /** Byte position in the input, starting at 0: the byte at which reading the record stopped, or its first byte. */
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

/** Formats a rejected record as a line of JSON. An error that a key function threw is replaced by its message. */
export function rejectedLine({ cause, ...rest }: Rejected): string {
  const printable = cause instanceof Error ? { ...rest, cause: cause.message } : rest
  return `${JSON.stringify(printable)}\n`
}

/** Ends the work because a record gets no key. `rejected` has the position and the reason. */
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
   * `throw` stops at the first one; `skip` leaves them out and counts them; a function is called with each one, and may
   * throw. Default: `throw`.
   */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /**
   * Number of rejected records that is still allowed; one more ends the work. A number, or a percentage of all records
   * such as `1%`. Default: no limit.
   */
  readonly maxRejected?: number | `${number}%`
}
