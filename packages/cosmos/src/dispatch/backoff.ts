/** Milliseconds before the next attempt: random, up to a limit that doubles each time, so that clients do not retry at the same moment. */
export function backoffMs(attempt: number, random: () => number, { firstMs, maxMs }: BackoffLimits): number {
  return 1 + random() * Math.min(maxMs, firstMs * 2 ** Math.min(attempt, MAX_DOUBLINGS))
}

export interface BackoffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

/** For a request that failed as a whole, or a range that has moved. */
export const REQUEST_BACKOFF: BackoffLimits = { firstMs: 50, maxMs: 5000 }
/** For one operation that failed alone. */
export const OPERATION_BACKOFF: BackoffLimits = { firstMs: 20, maxMs: 2000 }

/** For refused credentials, which are replaced by hand, or by an identity service that recovers. */
export const CREDENTIAL_BACKOFF: BackoffLimits = { firstMs: 500, maxMs: 15_000 }

const MAX_DOUBLINGS = 20
