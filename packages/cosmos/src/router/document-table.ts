import type { Pending } from '../batch/pending.ts'

/**
 * Operations by the document that they are on, one a document. A Map would do, but each time that it makes itself anew it leaves a dead
 * table behind, and the collector keeps alive what that points to: half of all operations would grow old that way.
 */
export class DocumentTable {
  #buckets: (Pending | undefined)[] = emptyBuckets(FIRST_BUCKETS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The operation on the same document, if one is here. */
  find(pending: Pending): Pending | undefined {
    let found = this.#buckets[pending.documentHash & (this.#buckets.length - 1)]
    while (found !== undefined && !isSameDocument(found, pending)) found = found.nextInBucket
    return found
  }

  /** Adds an operation; none on its document may be here. */
  add(pending: Pending): void {
    if (this.#size === this.#buckets.length) this.#grow()
    this.#size++
    this.#put(pending)
  }

  remove(pending: Pending): void {
    const bucket = pending.documentHash & (this.#buckets.length - 1)
    const first = this.#buckets[bucket]
    if (first === pending) this.#buckets[bucket] = pending.nextInBucket
    else unlink(first, pending)
    pending.nextInBucket = undefined
    this.#size--
  }

  *values(): Generator<Pending> {
    for (const first of this.#buckets) for (let pending = first; pending !== undefined; pending = pending.nextInBucket) yield pending
  }

  clear(): void {
    this.#buckets = emptyBuckets(FIRST_BUCKETS)
    this.#size = 0
  }

  #put(pending: Pending): void {
    const bucket = pending.documentHash & (this.#buckets.length - 1)
    pending.nextInBucket = this.#buckets[bucket]
    this.#buckets[bucket] = pending
  }

  // the number of buckets stays a power of two
  #grow(): void {
    const all = [...this.values()]
    this.#buckets.fill(undefined)
    this.#buckets = emptyBuckets(this.#buckets.length * 2)
    for (const pending of all) this.#put(pending)
  }
}

const FIRST_BUCKETS = 1024

function emptyBuckets(length: number): undefined[] {
  return Array.from({ length }, () => undefined)
}

function isSameDocument(one: Pending, other: Pending): boolean {
  if (one.documentHash !== other.documentHash || one.id !== other.id) return false
  const { values } = one
  const { values: others } = other
  if (values.length !== others.length) return false
  for (let level = 0; level < values.length; level++) if (values[level] !== others[level]) return false
  return true
}

function unlink(first: Pending | undefined, pending: Pending): void {
  let before = first
  while (before !== undefined && before.nextInBucket !== pending) before = before.nextInBucket
  if (before !== undefined) before.nextInBucket = pending.nextInBucket
}
