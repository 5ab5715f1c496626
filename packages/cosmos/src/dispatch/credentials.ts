import { type Backoff, backoffMs, type Clock } from '@keystamp/core/internal'
import type { CosmosError } from '../client/cosmos-error.ts'

export interface CredentialsOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly renewSignatures: () => void
  /** Whether refused credentials are waited out. Undefined: signatures are renewed once. */
  readonly onUnauthorized: ((error: CosmosError) => boolean) | undefined
  /** Called when credentials are accepted again. */
  readonly onAuthorized: (() => void) | undefined
  readonly pauseAll: (ms: number) => void
  readonly stop: (error: Error) => void
}

/** Renews credentials that Cosmos DB refused: once, or for as long as their owner waits for others. */
export class Credentials {
  readonly #options: CredentialsOptions
  /** Renewals since the last request that was accepted. */
  #renewals = 0
  #renewedMs = Number.NEGATIVE_INFINITY
  /** All lanes are paused until signatures are renewed. */
  #isRenewing = false

  constructor(options: CredentialsOptions) {
    this.#options = options
  }

  /** Whether their owner decides how long to wait. */
  get isWaitedFor(): boolean {
    return this.#options.onUnauthorized !== undefined
  }

  /** A request was accepted. */
  accept(): void {
    if (this.#renewals === 0) return
    this.#renewals = 0
    this.#options.onAuthorized?.()
  }

  /** A request that was sent at `sentMs` was refused. */
  refuse(error: CosmosError, sentMs: number): void {
    const { onUnauthorized, stop } = this.#options
    // requests with the old signature fail as well, which says nothing about the new one
    if (this.#isRenewing || sentMs < this.#renewedMs) return
    if (onUnauthorized !== undefined) {
      if (onUnauthorized(error)) this.#renewLater()
      else stop(error)
    } else if (this.#renewals > 0) stop(error)
    else {
      this.#renewals++
      this.#renew()
    }
  }

  /** The owner of the credentials has half of the pause to replace them. */
  #renewLater(): void {
    const { clock, random, pauseAll } = this.#options
    const pauseMs = backoffMs(this.#renewals++, { ...CREDENTIAL_BACKOFF, random })
    this.#isRenewing = true
    pauseAll(pauseMs)
    clock.schedule(pauseMs / 2, () => {
      this.#isRenewing = false
      this.#renew()
    })
  }

  #renew(): void {
    this.#renewedMs = this.#options.clock.now()
    this.#options.renewSignatures()
  }
}

/** For refused credentials, which are replaced by hand, or by an identity service that recovers. */
const CREDENTIAL_BACKOFF: Backoff = { firstMs: 500, maxMs: 15_000 }
