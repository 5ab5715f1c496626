import type { Writable } from 'node:stream'
import type { RejectOptions } from '../reject/rejected.ts'

/** What every stage that is a stream takes beside what it stamps by. */
export interface StreamOptions<R = unknown> extends Omit<RejectOptions<R>, 'onError'> {
  /**
   * `throw` stops at the first, `skip` leaves them out and counts them, a function is told of each and may throw;
   * `collect` hands each to a side stream: as an object, or as a line of JSON where the stream takes bytes. Default: `throw`.
   */
  readonly onError?: RejectOptions<R>['onError'] | { readonly collect: Writable }
  readonly signal?: AbortSignal
  /** Bytes, or chunks where objects are stamped, that may wait on either side. Default: Node's bytes; as many chunks as hold about a mebibyte, 16 at most. */
  readonly highWaterMark?: number
  /** Least time between two `progress` events in milliseconds. Default: 1000. */
  readonly progressEveryMs?: number
  /** Milliseconds that only ever grow, for `progress`. Default: `performance.now`. */
  readonly now?: () => number
}

export const KEY_OPTIONS: readonly string[] = ['into', 'existing', 'random']
export const REJECT_OPTIONS: readonly string[] = ['onError', 'maxRejected']
export const BYTES_OPTIONS: readonly string[] = ['maxRecordBytes']
export const STREAM_OPTIONS: readonly string[] = ['signal', 'highWaterMark', 'progressEveryMs', 'now']
export const ARRAY_OPTIONS: readonly string[] = ['to', 'pick']
