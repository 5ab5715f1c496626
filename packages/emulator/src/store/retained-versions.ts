import { type PreviousImages, previousImagesOf } from './change-feed-policy.ts'
import type { ContainerDefinition } from './container-definition.ts'
import { ExpiryQueue } from './expiry-queue.ts'
import type { StoredItem } from './item.ts'

/**
 * Settings and expiries of a container with the change feed of all versions and deletes. The changes are in the logs of
 * its ranges.
 */
export class RetainedVersions {
  #retentionSeconds = 0
  #previousImages: PreviousImages = previousImagesOf(undefined)
  #defaultTtl: number | undefined = undefined
  #expiries: ExpiryQueue | undefined = undefined

  /** Applies a definition; `items` are those of the container. */
  define(definition: ContainerDefinition, items: () => Iterable<StoredItem>): void {
    this.#retentionSeconds = retentionSecondsOf(definition)
    this.#previousImages = previousImagesOf(definition.previousImageRetentionPolicy)
    if (definition.defaultTtl === this.#defaultTtl) return
    this.#defaultTtl = definition.defaultTtl
    this.#fill(items)
  }

  get previousImages(): PreviousImages {
    return this.#previousImages
  }

  /** Time of the oldest change that clients can read, in seconds since 1970. */
  oldestSecond(nowMs: number): number {
    return Math.floor(nowMs / 1000) - this.#retentionSeconds
  }

  /** Notes when a new version of an item expires. */
  noteExpiry(item: StoredItem, itemCount: number, items: () => Iterable<StoredItem>): void {
    if (this.#expiries === undefined) return
    this.#expiries.add(item)
    // each version of an item adds an entry, so the outdated ones are dropped from time to time
    if (this.#expiries.size > itemCount * 2 + MIN_ENTRIES) this.#fill(items)
  }

  /** The items whose TTL has ended since the last call, in the order of its end. */
  takeExpired(nowMs: number): StoredItem[] {
    return this.#expiries?.take(nowMs) ?? []
  }

  #fill(items: () => Iterable<StoredItem>): void {
    this.#expiries = this.#defaultTtl === undefined ? undefined : new ExpiryQueue(this.#defaultTtl, items())
  }
}

const MIN_ENTRIES = 1024

/** How long a container keeps versions; 0 if it does not keep any. */
export function retentionSecondsOf({ changeFeedPolicy }: ContainerDefinition): number {
  return (changeFeedPolicy?.retentionDuration ?? 0) * 60
}
