import { comparePositions } from '../newest/position.ts'
import type { PendingOperation } from './pending-operation.ts'

/**
 * The operations of each document, in the order of their submission. Only the first operation of a document is in a
 * lane, so two operations on one document are never in flight at the same time.
 */
export class DocumentOrder {
  readonly #firsts: DocumentTable = new DocumentTable()

  get isEmpty(): boolean {
    return this.#firsts.size === 0
  }

  /**
   * Adds an operation. It becomes the first of its document, waits for earlier operations, or is coalesced into a
   * waiting upsert.
   */
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

  /** Removes the completed first operation of a document; returns the next one. */
  remove(pending: PendingOperation): PendingOperation | undefined {
    const { next } = pending
    this.#firsts.remove(pending)
    if (next === undefined) return undefined
    next.last = pending.last
    pending.next = undefined
    this.#firsts.add(next)
    return next
  }

  /**
   * Removes and returns the upserts that directly follow a plain upsert that was not applied. The caller coalesces them
   * into it.
   */
  absorbLaterUpserts(pending: PendingOperation): readonly PendingOperation[] {
    const taken: PendingOperation[] = []
    // compares with the last one, because each of them may be ordered by its position
    while (pending.next !== undefined && canCoalesce(pending.next, taken.at(-1) ?? pending)) {
      const { next } = pending
      taken.push(next)
      if (pending.last === next) pending.last = pending
      pending.next = next.next
      next.next = undefined
    }
    return taken
  }

  /** All operations. The documents have no order; the operations of each document are in order. */
  *all(): Generator<PendingOperation> {
    for (const first of this.#firsts.values()) {
      for (let pending: PendingOperation | undefined = first; pending !== undefined; pending = pending.next)
        yield pending
    }
  }

  clear(): void {
    this.#firsts.clear()
  }
}

function canCoalesce(later: PendingOperation, earlier: PendingOperation): boolean {
  return (
    (later.newest === undefined ? later.isPlain && earlier.isPlain : isNewer(later, earlier)) &&
    earlier.state !== 'inFlight' &&
    later.owner === undefined &&
    earlier.owner === undefined
  )
}

/** Whether both store a whole document only if it is newer, and the later one is newer. */
function isNewer(later: PendingOperation, earlier: PendingOperation): boolean {
  return (
    isOrderedWhole(later) &&
    isOrderedWhole(earlier) &&
    comparePositions(later.newest!.position, earlier.newest!.position) === 'newer'
  )
}

/** An old twin does not count: it waits for its upsert by itself. */
function isOrderedWhole({ newest, retry }: PendingOperation): boolean {
  return newest !== undefined && newest.patch === undefined && retry?.twin === undefined
}

/**
 * The first operation of each document. Not a Map: each time that a Map grows, it leaves an old table, and the garbage
 * collector keeps everything alive that the old table references. So half of all operations would be promoted to old
 * space.
 */
export class DocumentTable {
  #buckets: (PendingOperation | undefined)[] = emptyBuckets(FIRST_BUCKETS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The operation on the same document, if there is one. */
  find(pending: PendingOperation): PendingOperation | undefined {
    let found = this.#buckets[pending.documentHash & (this.#buckets.length - 1)]
    while (found !== undefined && !isSameDocument(found, pending)) found = found.nextInBucket
    return found
  }

  /** Adds an operation. There must be no other operation on its document. */
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
    for (const first of this.#buckets)
      for (let pending = first; pending !== undefined; pending = pending.nextInBucket) yield pending
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

  // keeps the number of buckets a power of two
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

/** Whether two operations have the same key and id. */
export function isSameDocument(one: PendingOperation, other: PendingOperation): boolean {
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
