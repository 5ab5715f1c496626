import type { Rejected } from './rejected.ts'

/** What to do with records that get no key. */
export interface RejectOptions<R = unknown> {
  /** `throw` stops at the first, `skip` leaves them out and counts them, a function is told of each and may throw. Default: `throw`. */
  readonly onError?: 'throw' | 'skip' | ((rejected: Rejected<R>) => void)
  /** How many may be rejected before the work stops: a number, or a per cent of all records such as `1%`. Default: no limit. */
  readonly maxRejected?: number | `${number}%`
}
