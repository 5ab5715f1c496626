import type { Writable } from 'node:stream'
import type { RejectOptions } from '../reject/rejected.ts'

/** Options that every stream has in addition to the options of its stage. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * Handling of rejected records. `throw` stops at the first one; `skip` leaves them out and counts them; a function is
   * called with each one, and may throw; `collect` writes each one to a side stream, as an object if the side stream is
   * in object mode, and as a line of JSON otherwise. Default: `throw`.
   */
  readonly onError?: RejectOptions<R>['onError'] | { readonly collect: Writable }
  readonly signal?: AbortSignal
  /**
   * High water mark of both sides of the stream: in bytes, or in chunks if objects are stamped. Default: Node's for
   * bytes; for objects, the number of chunks that hold about 1 MiB, at most 16.
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
