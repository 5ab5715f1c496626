import { type Identity, isSameIdentity } from '../documents/identity.ts'
import { Entry } from './queue-entry.ts'

/**
 * The documents with work. Not a Map: when a Map grows or has many removed entries, it leaves an old table, and the
 * garbage collector keeps everything alive that the old table references, here documents and their pages.
 */
export class EntryTable {
  #buckets: (Entry | undefined)[] = emptyBuckets(MIN_BUCKETS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The entry of a document, which is created if there is none. */
  of(identity: Identity): Entry {
    const hash = hashOf(identity)
    let found = this.#buckets[hash & (this.#buckets.length - 1)]
    while (found !== undefined && !(found.hash === hash && isSameIdentity(found.identity, identity)))
      found = found.nextInBucket
    return found ?? this.#add(new Entry(identity, hash))
  }

  /** Removes an entry. It must be in the table. */
  remove(entry: Entry): void {
    const bucket = entry.hash & (this.#buckets.length - 1)
    let before = this.#buckets[bucket]
    if (before === entry) this.#buckets[bucket] = entry.nextInBucket
    else {
      while (before!.nextInBucket !== entry) before = before!.nextInBucket
      before!.nextInBucket = entry.nextInBucket
    }
    entry.nextInBucket = undefined
    this.#size--
  }

  #add(entry: Entry): Entry {
    if (this.#size === this.#buckets.length) this.#grow()
    this.#size++
    this.#put(entry)
    return entry
  }

  #put(entry: Entry): void {
    const bucket = entry.hash & (this.#buckets.length - 1)
    entry.nextInBucket = this.#buckets[bucket]
    this.#buckets[bucket] = entry
  }

  // keeps the number of buckets a power of two
  #grow(): void {
    const former = this.#buckets
    this.#buckets = emptyBuckets(former.length * 2)
    for (const [bucket, first] of former.entries()) {
      former[bucket] = undefined
      for (let entry = first; entry !== undefined;) {
        const next: Entry | undefined = entry.nextInBucket
        this.#put(entry)
        entry = next
      }
    }
  }
}

const MIN_BUCKETS = 1024

function emptyBuckets(length: number): undefined[] {
  return Array.from({ length }, () => undefined)
}

function hashOf({ key, id }: Identity): number {
  let hash = hashOfText(id, key.length)
  for (const value of key) hash = typeof value === 'string' ? hashOfText(value, hash) : hashOfText(String(value), hash)
  // the last bits choose the bucket
  return hash ^ (hash >>> 15)
}

function hashOfText(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}
