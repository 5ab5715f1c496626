import type { MappedDocument } from '../documents/document-mapper.ts'
import { type Identity, isSameIdentity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { EntryTable } from './entry-table.ts'
import type { OpenPage } from './open-page.ts'
import { type Entry, NONE } from './queue-entry.ts'
import type { TargetIndex } from './target-index.ts'
import { type WaitingDocument, WaitingDocuments, type WaitingOptions } from './waiting-documents.ts'
import { TargetWrites, type TargetWritesOptions } from './target-writes.ts'

export interface IdentityQueueOptions extends TargetWritesOptions, Pick<WaitingOptions, 'holdMs'> {
  /** Only for a mapper whose `basis` is `fields`; without it, copies under former keys are found by comparisons. */
  readonly index: TargetIndex | undefined
  /** The index of the other direction, for which each copy is an original. */
  readonly otherIndex?: Pick<TargetIndex, 'add' | 'remove'> | undefined
  /** A document cannot be copied; or, with `code` null, its mistake does not matter any more. */
  readonly onRejected: (source: Identity, code: string | null, message: string) => void
  /** A container does not answer, or refuses the move. Nothing more is done. */
  readonly onFailure: (error: unknown) => void
}

export interface QueueCounts {
  readonly stored: number
  readonly deleted: number
  /** Versions that were not written, because a newer one came before their turn. */
  readonly superseded: number
  readonly expiring: number
}

/**
 * All work of a move on documents. The work on one document of the source is done in order, one after the other, and
 * ends with the answer of the target: so an older version never replaces a newer one, and a delete never meets a write.
 */
export class IdentityQueue {
  readonly #options: IdentityQueueOptions
  readonly #target: TargetWrites
  readonly #entries: EntryTable = new EntryTable()
  readonly #waiting: WaitingDocuments
  readonly #counts: { -readonly [Name in keyof QueueCounts]: number } = {
    stored: 0,
    deleted: 0,
    superseded: 0,
    expiring: 0
  }
  #whenIdle: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = []
  #failure: { readonly error: unknown } | undefined

  constructor(options: IdentityQueueOptions) {
    this.#options = options
    this.#waiting = new WaitingDocuments({ now: () => options.clock.now(), holdMs: options.holdMs })
    this.#target = new TargetWrites(options)
  }

  get counts(): QueueCounts {
    return this.#counts
  }

  /** Number of documents with work. */
  get size(): number {
    return this.#entries.size
  }

  /** Copies a version of a document from a page of changes. */
  put(document: StoredDocument, page: OpenPage): void {
    page.take()
    const entry = this.#entries.of(document.identity)
    if (entry.page !== undefined) {
      this.#counts.superseded++
      entry.page.settle()
    }
    if (!this.#createFirst(entry, document, page)) {
      entry.document = document
      entry.page = page
      this.#start(entry)
    }
  }

  /**
   * Creates the first copy of a document without waiting for anything but the answer: the usual case, for which the
   * general way costs a third more. Returns false if the document needs the general way.
   */
  #createFirst(entry: Entry, document: StoredDocument, page: OpenPage): boolean {
    const { mapper, index, otherIndex, order, target, wallMs } = this.#options
    if (entry.isRunning || page.copies === 'all' || index !== undefined || this.#failure !== undefined) return false
    if (order.isOutdated(entry, page.request)) return false
    const mapped = mapper.map(document, wallMs())
    if (mapped.kind !== 'mapped') return false
    entry.isRunning = true
    const create = () => target.write({ kind: 'create', document: mapped })
    const created = otherIndex === undefined ? create() : otherIndex.add(mapped.identity, entry.identity).then(create)
    created.then(
      ({ kind }) => this.#created(entry, document, page, kind === 'done'),
      (error: unknown) => this.#fail(error)
    )
    return true
  }

  #created(entry: Entry, document: StoredDocument, page: OpenPage, isDone: boolean): void {
    if (isDone) {
      this.#counts.stored++
      this.#options.onRejected(entry.identity, null, '')
    }
    if (isDone || entry.document !== undefined) page.settle()
    else {
      entry.document = document
      entry.page = page
    }
    this.#continue(entry)
  }

  /**
   * Reads the document from the source, and deletes its copies at all places but that of the version that was read; at
   * all places if the document does not exist. `mustStore`: writes this version, too.
   */
  reconcile(source: Identity, places: readonly Identity[], page?: OpenPage, mustStore: boolean = false): void {
    const entry = this.#entries.of(source)
    entry.isDue = true
    entry.mustStore ||= mustStore
    entry.places = [...entry.places, ...places]
    if (page !== undefined) {
      page.take()
      entry.pages = [...entry.pages, page]
    }
    this.#start(entry)
  }

  /** Tries the documents again that found their place taken: another process may have freed it. */
  retryRefused(which: 'all' | 'held'): void {
    for (const waiting of this.#waiting.take(which)) this.#retry(waiting)
  }

  #retry({ identity, pages }: WaitingDocument): void {
    const entry = this.#entries.of(identity)
    entry.isDue = entry.mustStore = true
    entry.pages = [...entry.pages, ...pages]
    this.#start(entry)
  }

  /** Resolves when no document has work; rejects if a container fails. */
  async idle(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
    if (this.#entries.size > 0) await new Promise<void>((resolve, reject) => this.#whenIdle.push({ resolve, reject }))
  }

  #start(entry: Entry): void {
    if (entry.isRunning || this.#failure !== undefined) return
    entry.isRunning = true
    this.#continue(entry)
  }

  /** Does the work of an entry until there is none. */
  #continue(entry: Entry): void {
    if (this.#failure !== undefined) return
    if (entry.document !== undefined || entry.isDue) {
      const work = entry.document === undefined ? this.#read(entry) : this.#copy(entry)
      work.then(
        () => this.#continue(entry),
        (error: unknown) => this.#fail(error)
      )
      return
    }
    this.#entries.remove(entry)
    if (this.#entries.size > 0) return
    for (const { resolve } of this.#whenIdle.splice(0)) resolve()
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.#options.onFailure(error)
    for (const { reject } of this.#whenIdle.splice(0)) reject(error)
  }

  /** Writes the newest version. */
  async #copy(entry: Entry): Promise<void> {
    const { document, page, identity } = entry as Entry & { document: StoredDocument; page: OpenPage }
    entry.document = entry.page = undefined
    if (this.#options.order.isOutdated(entry, page.request)) {
      entry.isDue = entry.mustStore = true
      entry.pages = [...entry.pages, page]
      return
    }
    const mapped = this.#options.mapper.map(document, this.#options.wallMs())
    if (mapped.kind === 'mapped') {
      // not `||=`, which would forget a read that is asked for meanwhile
      if (await this.#store(entry, mapped, page.copies === 'all')) entry.isDue = true
    } else if (mapped.kind === 'rejected') this.#options.onRejected(identity, mapped.code, mapped.message)
    else {
      this.#counts.expiring++
      // an earlier version may have been copied, or rejected
      entry.isDue = true
    }
    // a copy at a former place is deleted before the position of the page is saved
    if (entry.isDue) entry.pages = [...entry.pages, page]
    else for (const settled of this.#waiting.hold(identity, [page])) settled.settle()
  }

  /** Stores a copy. Returns whether there may be copies at former places, too. */
  async #store(entry: Entry, mapped: MappedDocument, isCopied: boolean): Promise<boolean> {
    const { identity } = entry
    const { index, otherIndex, onRejected } = this.#options
    const known = (await index?.find(identity)) ?? []
    const isKnown = known.some((place) => isSameIdentity(place, mapped.identity))
    // before the write: the process may end between the two
    await Promise.all([
      isKnown ? undefined : index?.add(identity, mapped.identity),
      // also if it is known: the process before may have ended between the two indexes
      otherIndex?.add(mapped.identity, identity)
    ])
    const hasFormer = known.length > (isKnown ? 1 : 0)
    const outcome = await this.#target.store(identity, mapped, isKnown || isCopied)
    if (outcome.kind === 'stored') {
      this.#counts.stored++
      onRejected(identity, null, '')
      return hasFormer
    }
    if (outcome.kind === 'rejected') {
      onRejected(identity, outcome.code, outcome.message)
      return hasFormer
    }
    // the place may have become free before it was known that this document waits for it
    if (this.#waiting.add(identity, mapped.identity)) entry.isDue = entry.mustStore = true
    onRejected(identity, 'PLACE_TAKEN', PLACE_TAKEN)
    return hasFormer
  }

  /** Reads the source, and deletes what does not belong in the target. */
  async #read(entry: Entry): Promise<void> {
    const { identity, text } = entry
    const { source, mapper, index, order, wallMs, sessionTokenOf, onRejected } = this.#options
    const { pages, mustStore, places } = entry
    entry.isDue = entry.mustStore = false
    entry.pages = NONE
    entry.places = NONE
    const known = [...places, ...((await index?.find(identity)) ?? [])]
    if (mapper.basis === 'identity') {
      const place = mapper.targetOf(identity)
      if (!('kind' in place)) known.push(place)
    }
    // read before the source: if the target changes after this, the delete is refused, and the source is read again
    const { copies, empty } = await this.#target.findCopies(identity, distinct(known))
    const document = await source.read(identity, { sessionToken: sessionTokenOf(identity) })
    order.endRead(text)
    const mapped = document === undefined ? undefined : mapper.map(document, wallMs())
    let isLeft = false
    if (mapped?.kind === 'rejected') onRejected(identity, mapped.code, mapped.message)
    else {
      if (mapped?.kind !== 'mapped') onRejected(identity, null, '')
      else if (mustStore) await this.#store(entry, mapped, true)
      const wanted = mapped?.kind === 'mapped' ? mapped.identity : undefined
      const isWanted = (place: Identity): boolean => wanted !== undefined && isSameIdentity(place, wanted)
      for (const copy of copies) if (!isWanted(copy.identity) && !(await this.#remove(entry, copy))) isLeft = true
      for (const place of empty) if (!isWanted(place) && !(await this.#keepEmpty(entry, place))) isLeft = true
      // a copy that could not be deleted is read again, and so are the places in the index
      if (!entry.isDue)
        for (const place of distinct(known)) {
          if (isWanted(place)) continue
          await this.#forget(identity, place)
          for (const other of this.#waiting.release(place, text)) this.#retry(other)
        }
    }
    // after a restart, only the position before the page would lead to a copy that is left
    if (isLeft) entry.pages = [...entry.pages, ...pages]
    else for (const page of this.#waiting.hold(identity, pages)) page.settle()
  }

  /** No copy of a document is at a place any more. */
  async #forget(source: Identity, place: Identity): Promise<void> {
    const { index, otherIndex } = this.#options
    await Promise.all([index?.remove(source, place), otherIndex?.remove(place, source)])
  }

  /** Deletes a copy; false if it has changed, so that everything must be read again. */
  async #remove(entry: Entry, copy: StoredDocument): Promise<boolean> {
    const isRemoved = await this.#target.remove(copy)
    if (isRemoved) this.#counts.deleted++
    else entry.readAgain(copy.identity)
    return isRemoved
  }

  /** Lets no late create into an empty place; false if there is a document now, so that everything must be read again. */
  async #keepEmpty(entry: Entry, place: Identity): Promise<boolean> {
    const isEmpty = await this.#target.keepEmpty(place)
    if (!isEmpty) entry.readAgain(place)
    return isEmpty
  }
}

const PLACE_TAKEN =
  'Another document of the source has the same key and id in the target. Add a field to the key that distinguishes them, or let the plan make new ids.'

function distinct(identities: readonly Identity[]): readonly Identity[] {
  return identities.filter(
    (identity, index) => identities.findIndex((other) => isSameIdentity(identity, other)) === index
  )
}
