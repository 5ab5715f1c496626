import type { PendingOperation } from './pending-operation.ts'

/**
 * Who is ahead of whom: the operations of each document in the order in which they came.
 * Only the first of a document is ever handed to a lane, so two operations on one document are never in flight together.
 */
export class DocumentOrder {
  readonly #firsts: DocumentTable = new DocumentTable()

  get isEmpty(): boolean {
    return this.#firsts.size === 0
  }

  /** Takes an operation in: it is the first of its document, it waits behind another, or it takes the place of a waiting upsert. */
  add(pending: PendingOperation): 'first' | 'waiting' | { readonly coalescedInto: PendingOperation } {
    const first = this.#firsts.find(pending)
    if (first === undefined) {
      this.#firsts.add(pending)
      return 'first'
    }
    const { last } = first
    if (canCoalesce(pending, last)) return { coalescedInto: last }
    last.next = pending
    first.last = pending
    return 'waiting'
  }

  /** The first of a document has its outcome: gives the one that is first now. */
  remove(pending: PendingOperation): PendingOperation | undefined {
    const { next } = pending
    this.#firsts.remove(pending)
    if (next === undefined) return undefined
    next.last = pending.last
    pending.next = undefined
    this.#firsts.add(next)
    return next
  }

  /** A plain upsert that came back unapplied lets the upserts behind it take its place; gives those that did. */
  absorbLaterUpserts(pending: PendingOperation): readonly PendingOperation[] {
    const taken: PendingOperation[] = []
    while (pending.next !== undefined && canCoalesce(pending.next, pending)) {
      const { next } = pending
      taken.push(next)
      if (pending.last === next) pending.last = pending
      pending.next = next.next
      next.next = undefined
    }
    return taken
  }

  /** All operations, documents in no order, each document's in theirs. */
  *all(): Generator<PendingOperation> {
    for (const first of this.#firsts.values()) {
      for (let pending: PendingOperation | undefined = first; pending !== undefined; pending = pending.next) yield pending
    }
  }

  clear(): void {
    this.#firsts.clear()
  }
}

function canCoalesce(later: PendingOperation, earlier: PendingOperation): boolean {
  return later.isPlain && earlier.isPlain && earlier.state !== 'inFlight' && later.owner === undefined && earlier.owner === undefined
}

/**
 * Operations by the document that they are on, one a document. A Map would do, but each time that it makes itself anew it leaves a dead
 * table behind, and the collector keeps alive what that points to: half of all operations would grow old that way.
 */
export class DocumentTable {
  #buckets: (PendingOperation | undefined)[] = emptyBuckets(FIRST_BUCKETS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The operation on the same document, if one is here. */
  find(pending: PendingOperation): PendingOperation | undefined {
    let found = this.#buckets[pending.documentHash & (this.#buckets.length - 1)]
    while (found !== undefined && !isSameDocument(found, pending)) found = found.nextInBucket
    return found
  }

  /** Adds an operation; none on its document may be here. */
  add(pending: PendingOperation): void {
    if (this.#size === this.#buckets.length) this.#grow()
    this.#size++
    this.#put(pending)
  }

  remove(pending: PendingOperation): void {
    const bucket = pending.documentHash & (this.#buckets.length - 1)
    const first = this.#buckets[bucket]
    if (first === pending) this.#buckets[bucket] = pending.nextInBucket
    else unlink(first, pending)
    pending.nextInBucket = undefined
    this.#size--
  }

  *values(): Generator<PendingOperation> {
    for (const first of this.#buckets) for (let pending = first; pending !== undefined; pending = pending.nextInBucket) yield pending
  }

  clear(): void {
    this.#buckets = emptyBuckets(FIRST_BUCKETS)
    this.#size = 0
  }

  #put(pending: PendingOperation): void {
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

function isSameDocument(one: PendingOperation, other: PendingOperation): boolean {
  if (one.documentHash !== other.documentHash || one.id !== other.id) return false
  const { values } = one
  const { values: others } = other
  if (values.length !== others.length) return false
  for (let level = 0; level < values.length; level++) if (values[level] !== others[level]) return false
  return true
}

function unlink(first: PendingOperation | undefined, pending: PendingOperation): void {
  let before = first
  while (before !== undefined && before.nextInBucket !== pending) before = before.nextInBucket
  if (before !== undefined) before.nextInBucket = pending.nextInBucket
}
