import { type Clock, waitFor } from '@keystamp/core/internal'
import type { Fence } from '@keystamp/cosmos'
import type { OwnedDocument, Stored } from './lease-documents.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import type { LeaseStore } from './lease-store.ts'

/** Times of leases. */
export interface LeaseLimits {
  /** A lease that no worker has renewed for this time may be taken by another worker. */
  readonly leaseMs: number
  /** Longest time from the sending of a request until its end. A worker sends nothing in this last part of a lease. */
  readonly requestTimeoutMs: number
  /** Time for which a step waits for requests of a worker after its lease. Default: `requestTimeoutMs`. */
  readonly maxRequestAgeMs?: number
  readonly renewEveryMs: number
  /** Interval at which the leases are listed. */
  readonly pollMs: number
}

/** The times for leases of this length. */
export function leaseLimitsOf(leaseMs: number = LEASE_MS): LeaseLimits {
  return {
    leaseMs,
    requestTimeoutMs: Math.min(10_000, leaseMs / 4),
    renewEveryMs: Math.min(3000, leaseMs / 10),
    pollMs: Math.min(2000, leaseMs / 10)
  }
}

const LEASE_MS = 60_000

export interface LeaseHolder {
  readonly store: LeaseStore
  /** Name of the worker. */
  readonly name: string
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  readonly limits: LeaseLimits
}

/**
 * A lease that this worker holds. It is a fence: it is lost as soon as a request that is sent now could still be under
 * way when another worker may take the lease.
 */
export class HeldLease<Document extends OwnedDocument> implements Fence {
  readonly #holder: LeaseHolder
  #stored: Stored<Document>
  #renewedMs: number
  #renewedWallMs: number
  #isOver = false
  /** Ends when all changes that were asked for so far are done. */
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(
    holder: LeaseHolder,
    stored: Stored<Document>,
    sent: { readonly atMs: number; readonly atWallMs: number }
  ) {
    this.#holder = holder
    this.#stored = stored
    this.#renewedMs = sent.atMs
    this.#renewedWallMs = sent.atWallMs
  }

  /** Takes a lease that is free or expired. Undefined if another worker was faster. */
  static async take<Document extends OwnedDocument>(
    holder: LeaseHolder,
    { document, etag }: Stored<Document>,
    change: Partial<Document> = {}
  ): Promise<HeldLease<Document> | undefined> {
    const sent = { atMs: holder.clock.now(), atWallMs: holder.wallMs() }
    const taken = { ...document, ...change, owner: holder.name, tenure: document.tenure + 1 }
    const stored = await holder.store.replace(taken, etag)
    return stored && new HeldLease(holder, stored, sent)
  }

  /** Creates the document with its lease. Undefined if there is one. */
  static async create<Document extends OwnedDocument>(
    holder: LeaseHolder,
    document: Document
  ): Promise<HeldLease<Document> | undefined> {
    const sent = { atMs: holder.clock.now(), atWallMs: holder.wallMs() }
    const stored = await holder.store.create({ ...document, owner: holder.name, tenure: 1 })
    return stored && new HeldLease(holder, stored, sent)
  }

  get document(): Document {
    return this.#stored.document
  }

  get isLost(): boolean {
    const { clock, wallMs, limits } = this.#holder
    const maxMs = limits.leaseMs - limits.requestTimeoutMs
    // the other clock counts the time for which the machine was suspended
    if (clock.now() - this.#renewedMs > maxMs || wallMs() - this.#renewedWallMs > maxMs) this.#isOver = true
    return this.#isOver
  }

  /** Changes the document, which renews the lease. Rejects with LeaseLostError. */
  update(change: Partial<Document>): Promise<void> {
    const done = this.#queue.then(() => this.#update(change))
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** Renews the lease unless it was renewed a moment ago. */
  async renew(change: Partial<Document> = {}): Promise<void> {
    const { clock, limits } = this.#holder
    if (clock.now() - this.#renewedMs >= limits.renewEveryMs / 2) await this.update(change)
  }

  /** Frees the lease for the next worker. */
  async release(change: Partial<Document> = {}): Promise<void> {
    await this.update({ ...change, owner: null })
    this.#isOver = true
  }

  async #update(change: Partial<Document>): Promise<void> {
    const { store, clock, wallMs } = this.#holder
    for (;;) {
      if (this.isLost) throw new LeaseLostError(this.document.id)
      const [atMs, atWallMs] = [clock.now(), wallMs()]
      const stored = await store.replace({ ...this.document, ...change }, this.#stored.etag, this)
      if (stored !== undefined) {
        this.#stored = stored
        this.#renewedMs = atMs
        this.#renewedWallMs = atWallMs
        return
      }
      await this.#adopt()
    }
  }

  /** Reads the document again, which others may have changed without taking the lease. */
  async #adopt(): Promise<void> {
    const { store, name, clock } = this.#holder
    const { id, version, tenure } = this.document
    for (;;) {
      if (this.isLost) throw new LeaseLostError(id)
      const found = (await store.read(id)) as Stored<Document> | undefined
      if (found !== undefined && found.document.version >= version) {
        const isMine = found.document.owner === name && found.document.tenure === tenure
        if (!isMine) {
          this.#isOver = true
          throw new LeaseLostError(id)
        }
        this.#stored = found
        return
      }
      // the replica is behind; if the document was deleted, the lease ends by itself
      await waitFor(STALE_MS, clock)
    }
  }
}

const STALE_MS = 100
