/** Milliseconds to wait before the next attempt: anything up to a limit that doubles each time, so that many clients do not come back together. */
export function backoffMs(attempt: number, random: () => number, { firstMs, mostMs }: BackoffLimits): number {
  return 1 + random() * Math.min(mostMs, firstMs * 2 ** Math.min(attempt, MAX_DOUBLINGS))
}

export interface BackoffLimits {
  readonly firstMs: number
  readonly mostMs: number
}

/** For a request that failed as a whole, or a range that is not where it was. */
export const REQUEST_BACKOFF: BackoffLimits = { firstMs: 50, mostMs: 5000 }
/** For one operation that failed alone. */
export const OPERATION_BACKOFF: BackoffLimits = { firstMs: 20, mostMs: 2000 }

/** For refused credentials: they change by hand, or with an identity service that recovers. */
export const CREDENTIAL_BACKOFF: BackoffLimits = { firstMs: 500, mostMs: 15_000 }

const MAX_DOUBLINGS = 20
