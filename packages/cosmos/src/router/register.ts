import type { Pending } from '../batch/pending.ts'
import { DocumentTable } from './document-table.ts'

/**
 * Who is ahead of whom: the operations of each document in the order in which they came.
 * Only the first of a document is ever handed to a lane, so two operations on one document are never in flight together.
 */
export class Register {
  readonly #firsts: DocumentTable = new DocumentTable()

  get isEmpty(): boolean {
    return this.#firsts.size === 0
  }

  /** Takes an operation in: it is the first of its document, it waits behind another, or it takes the place of a waiting upsert. */
  enter(pending: Pending): 'first' | 'behind' | { readonly inPlaceOf: Pending } {
    const first = this.#firsts.find(pending)
    if (first === undefined) {
      this.#firsts.add(pending)
      return 'first'
    }
    const { last } = first
    if (canTakeThePlace(pending, last)) return { inPlaceOf: last }
    last.next = pending
    first.last = pending
    return 'behind'
  }

  /** The first of a document has its outcome: gives the one that is first now. */
  leave(pending: Pending): Pending | undefined {
    const { next } = pending
    this.#firsts.remove(pending)
    if (next === undefined) return undefined
    next.last = pending.last
    pending.next = undefined
    this.#firsts.add(next)
    return next
  }

  /** A plain upsert that came back unapplied lets the upserts behind it take its place; gives those that did. */
  giveWay(pending: Pending): readonly Pending[] {
    const taken: Pending[] = []
    while (pending.next !== undefined && canTakeThePlace(pending.next, pending)) {
      const { next } = pending
      taken.push(next)
      if (pending.last === next) pending.last = pending
      pending.next = next.next
      next.next = undefined
    }
    return taken
  }

  /** All operations, documents in no order, each document's in theirs. */
  *all(): Generator<Pending> {
    for (const first of this.#firsts.values()) {
      for (let pending: Pending | undefined = first; pending !== undefined; pending = pending.next) yield pending
    }
  }

  clear(): void {
    this.#firsts.clear()
  }
}

function canTakeThePlace(later: Pending, earlier: Pending): boolean {
  return later.isPlain && earlier.isPlain && earlier.state !== 'inFlight' && later.owner === undefined && earlier.owner === undefined
}
