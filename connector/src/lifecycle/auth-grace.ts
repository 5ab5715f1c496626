import { backoffMs } from '@keystamp/core/internal'
import type { Clock } from './clock.ts'
import type { Wait } from './waits.ts'

/** Services that check credentials. */
export type AuthService = 'Cosmos DB' | 'Kafka' | 'the dead-letter topic' | 'the schema registry'

/** A service that refuses credentials which it accepted before. */
export interface AuthWait {
  readonly service: AuthService
  /** When it refused them for the first time, by the clock. */
  readonly sinceMs: number
}

/**
 * Decides how long to retry with refused credentials. After a key rotation or an outage of the identity provider the
 * refusal ends by itself; with a wrong password it does not.
 */
export interface AuthGrace {
  /**
   * The service refused the credentials. Returns true to retry; false if the service has never accepted them, or the
   * grace period is over.
   */
  readonly refused: (service: AuthService) => boolean
  /** The service accepted the credentials. */
  readonly accepted: (service: AuthService) => void
  readonly waits: readonly AuthWait[]
}

export interface AuthGraceOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly graceMs: number
  /** Reads secret files again, so that the next attempt uses their current content. */
  readonly reread: () => Promise<void>
}

/** Allows retries for services that have accepted the credentials before, up to `graceMs` after each first refusal. */
export function createAuthGrace({ clock, graceMs, reread }: AuthGraceOptions): AuthGrace {
  const accepted = new Set<AuthService>()
  const refusedSinceMs = new Map<AuthService, number>()
  let rereading: Promise<void> | undefined

  return {
    refused: (service) => {
      if (!accepted.has(service)) return false
      const nowMs = clock.now()
      if (!refusedSinceMs.has(service)) refusedSinceMs.set(service, nowMs)
      rereading ??= reread().finally(() => {
        rereading = undefined
      })
      return nowMs - refusedSinceMs.get(service)! < graceMs
    },
    accepted: (service) => {
      accepted.add(service)
      refusedSinceMs.delete(service)
    },
    get waits() {
      return [...refusedSinceMs].map(([service, sinceMs]) => ({ service, sinceMs }))
    }
  }
}

/**
 * Delay until a request to Kafka is sent again: the usual one, or one that doubles while the credentials are refused,
 * since a service can lock an account after too many wrong passwords.
 */
export class RetryDelay {
  readonly #usualMs: number
  #refusals = 0

  constructor(usualMs: number) {
    this.#usualMs = usualMs
  }

  /** Milliseconds until the next attempt. `isRefused`: whether Kafka refused the credentials of the last attempt. */
  next(isRefused: boolean): number {
    if (!isRefused) {
      this.#refusals = 0
      return this.#usualMs
    }
    return backoffMs(this.#refusals++, { firstMs: FIRST_REFUSED_MS, maxMs: MAX_REFUSED_MS })
  }
}

/** Longest delay while credentials are refused, in milliseconds. */
export const MAX_REFUSED_MS = 15_000
const FIRST_REFUSED_MS = 200

/** Services that refuse credentials now, as waits of the sink. */
export function authWaits(auth: Pick<AuthGrace, 'waits'> | undefined): readonly Wait[] {
  return (auth?.waits ?? []).map(({ service, sinceMs }) => ({
    reason: 'auth',
    subject: service,
    detail: `${service} refuses the credentials that it accepted before`,
    sinceMs
  }))
}
