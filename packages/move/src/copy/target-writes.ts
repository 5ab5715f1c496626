import { KeystampError } from '@keystamp/core'
import { type Backoff, backoffMs, type Clock, waitFor } from '@keystamp/core/internal'
import type { MoveContainer, StoreWrite, WriteAnswer } from '../containers/move-container.ts'
import type { DocumentMapper, MappedDocument } from '../documents/document-mapper.ts'
import { type Identity, identityText, isSameIdentity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { createMarker, isMarker } from '../markers/marker.ts'
import type { ReadOrder } from './read-order.ts'

export interface TargetWritesOptions {
  readonly source: MoveContainer
  readonly target: MoveContainer
  readonly mapper: DocumentMapper
  readonly order: ReadOrder
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  readonly random: () => number
  /** Session token for reads of a document of the source. */
  readonly sessionTokenOf: (source: Identity) => string | undefined
  /** Whether a deleted copy leaves a marker, so that a late create finds its place taken. Default: false. */
  readonly isFenced?: boolean | undefined
}

/** Outcome of storing a copy: `taken` if another document of the source has the same key and id in the target. */
export type StoreOutcome =
  | { readonly kind: 'stored' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }

/** Documents at some places of the target. */
export interface FoundCopies {
  readonly copies: readonly StoredDocument[]
  /** Places without a document. */
  readonly empty: readonly Identity[]
}

/** ETag that no document has. */
const NO_ETAG = '"00000000-0000-0000-0000-000000000000"'

const BACKOFF: Omit<Backoff, 'random'> = { firstMs: 20, maxMs: 1000 }

/**
 * Writes single copies into the target. Every write has a condition, so that a late request cannot replace a newer copy:
 * a create fails if there is a document, and the others name the ETag that was read before.
 */
export class TargetWrites {
  readonly #options: TargetWritesOptions

  constructor(options: TargetWritesOptions) {
    this.#options = options
  }

  /** Stores the copy of a document. `isExpected`: there probably is an older copy. */
  async store(source: Identity, document: MappedDocument, isExpected: boolean): Promise<StoreOutcome> {
    const { target } = this.#options
    let isThere = isExpected
    for (let attempt = 0; ; attempt++) {
      if (attempt > 1) await this.#wait(attempt)
      if (!isThere) {
        const created = await target.write({ kind: 'create', document })
        if (created.kind === 'done') return STORED
        if (created.kind === 'rejected') return created
      }
      const copy = await target.read(document.identity)
      isThere = copy !== undefined
      if (copy === undefined) continue
      if (!isMarker(copy) && !this.#isCopyOf(copy, source) && (await this.#isTaken(copy))) return TAKEN
      const replaced = await target.write({ kind: 'replace', document, ifMatch: copy.etag })
      if (replaced.kind === 'done') return STORED
      if (replaced.kind === 'rejected') return replaced
    }
  }

  /** Reads what is at some places of the target. */
  async findCopies(source: Identity, places: readonly Identity[]): Promise<FoundCopies> {
    const found = await Promise.all(places.map((place) => this.#find(place)))
    const isCopy = (copy: StoredDocument | undefined): copy is StoredDocument =>
      copy !== undefined && !isMarker(copy) && this.#isCopyOf(copy, source)
    return { copies: found.filter(isCopy), empty: places.filter((_, each) => found[each] === undefined) }
  }

  /**
   * Reads a place of the target. That it is empty is confirmed by a delete which no document can meet, because only
   * reads may come from a replica that is behind. With a fence, the marker confirms it.
   */
  async #find(identity: Identity): Promise<StoredDocument | undefined> {
    const { target, isFenced } = this.#options
    for (let attempt = 0; ; attempt++) {
      if (attempt > 1) await this.#wait(attempt)
      const copy = await target.read(identity)
      if (copy !== undefined || isFenced) return copy
      const probe = await target.write({ kind: 'delete', identity, ifMatch: NO_ETAG })
      if (probe.kind !== 'changed') return undefined
    }
  }

  /** Deletes a copy that was read before; false if it has changed since. With a fence, a marker replaces it. */
  async remove({ identity, etag }: StoredDocument): Promise<boolean> {
    const { target, isFenced } = this.#options
    if (!isFenced) return (await target.write({ kind: 'delete', identity, ifMatch: etag })).kind !== 'changed'
    const kind = await this.#mark(identity, { kind: 'replace', ifMatch: etag })
    return kind === 'missing' ? this.keepEmpty(identity) : kind === 'done'
  }

  /** With a fence, creates a marker at a place without a document; false if there is one. */
  async keepEmpty(place: Identity): Promise<boolean> {
    const { target, isFenced } = this.#options
    if (!isFenced) return true
    for (let attempt = 0; ; attempt++) {
      if (attempt > 1) await this.#wait(attempt)
      if ((await this.#mark(place, { kind: 'create' })) === 'done') return true
      const found = await target.read(place)
      if (found !== undefined) return isMarker(found)
    }
  }

  async #mark(place: Identity, write: Omit<StoreWrite, 'document'>): Promise<Exclude<WriteAnswer['kind'], 'rejected'>> {
    const { target } = this.#options
    const answer = await target.write({ ...write, document: createMarker(place, target.definition.partitionKey) })
    if (answer.kind !== 'rejected') return answer.kind
    const what = `${target.name} refuses the marker of a deleted document: ${answer.message}`
    throw new KeystampError('COSMOS_REFUSED', `${what} Start the move without \`--fence\`, in a new target.`)
  }

  /** Waits before the next attempt, so that a replica that is behind can follow. */
  async #wait(attempt: number): Promise<void> {
    const { clock, random } = this.#options
    await waitFor(backoffMs(attempt, { ...BACKOFF, random }), clock)
  }

  #isCopyOf(copy: StoredDocument, source: Identity): boolean {
    const owner = this.#options.mapper.sourceOf(copy)
    return owner !== undefined && isSameIdentity(owner, source)
  }

  /**
   * Whether the copy of another document has a right to its place: that document exists, and the plan gives it this
   * place. Otherwise the copy is about to be deleted.
   */
  async #isTaken(copy: StoredDocument): Promise<boolean> {
    const { source, mapper, order, wallMs, sessionTokenOf } = this.#options
    const owner = mapper.sourceOf(copy)
    if (owner === undefined) return true
    const document = await source.read(owner, { sessionToken: sessionTokenOf(owner) })
    order.endRead(identityText(owner))
    if (document === undefined) return false
    const mapped = mapper.map(document, wallMs())
    return mapped.kind === 'rejected' || (mapped.kind === 'mapped' && isSameIdentity(mapped.identity, copy.identity))
  }
}

const STORED: StoreOutcome = { kind: 'stored' }
const TAKEN: StoreOutcome = { kind: 'taken' }
