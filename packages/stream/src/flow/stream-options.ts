import type { Writable } from 'node:stream'
import type { RejectOptions } from '../reject/rejected.ts'

/** Options of every stream, in addition to those of its stage. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * Handling of rejected records: `throw` stops at the first, `skip` leaves them out and counts them, a function is
   * called with each and may throw; `collect` writes each to a side stream, as an object, or as a line of JSON where
   * the stream reads bytes. Default: `throw`.
   */
  readonly onError?: RejectOptions<R>['onError'] | { readonly collect: Writable }
  readonly signal?: AbortSignal
  /**
   * High water mark of both sides, in bytes, or in chunks where objects are stamped. Default: Node's for bytes; for
   * objects, the number of chunks that hold about 1 MiB, at most 16.
   */
  readonly highWaterMark?: number
  /** Minimum time between two `progress` events, in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Monotonic clock for `progress`, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number
}

export const KEY_OPTIONS: readonly string[] = ['into', 'existing', 'random']
export const REJECT_OPTIONS: readonly string[] = ['onError', 'maxRejected']
export const BYTES_OPTIONS: readonly string[] = ['maxRecordBytes']
export const STREAM_OPTIONS: readonly string[] = ['signal', 'highWaterMark', 'progressEveryMs', 'now']
export const ARRAY_OPTIONS: readonly string[] = ['to', 'pick']
