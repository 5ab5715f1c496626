import type { Direction, RejectedEntry } from '../journal/journal.ts'
import type { RejectedRecord, Stored } from './lease-documents.ts'
import type { Member } from './member.ts'

/** The documents that cannot be copied, of all workers. */
export class RejectedDocuments {
  readonly #member: Member
  // changed in place, because there may be very many
  readonly #codes: Record<Direction, Map<string, string>> = { forward: new Map(), back: new Map() }
  /** Recent writes of this process: lists may be older. */
  readonly #own: Map<string, { readonly record: RejectedRecord; readonly atMs: number }> = new Map()
  #read: ReadonlyMap<string, Stored> | undefined

  constructor(member: Member) {
    this.#member = member
  }

  /** Codes by the hashes of the identities. The maps change with later lists. */
  codes(): Readonly<Record<Direction, ReadonlyMap<string, string>>> {
    if (this.#read === this.#member.documents) return this.#codes
    this.#read = this.#member.documents
    const oldestMs = this.#member.options.clock.now() - LIST_MAY_BE_BEHIND_MS
    for (const [id, { atMs }] of this.#own) if (atMs < oldestMs) this.#own.delete(id)
    for (const codes of Object.values(this.#codes)) codes.clear()
    for (const { document } of this.#member.rejected()) this.#set(document)
    for (const { record } of this.#own.values()) this.#set(record)
    return this.#codes
  }

  async append({ direction, document, code }: RejectedEntry): Promise<void> {
    const { store, clock } = this.#member.options
    const id = `rejected.${direction}.${document}`
    const record: RejectedRecord = { kind: 'rejected', id, version: 0, tag: '', direction, document, code }
    this.#own.set(id, { record, atMs: clock.now() })
    this.#set(record)
    for (;;) {
      const found = (await store.read(id)) as Stored<RejectedRecord> | undefined
      const written =
        found === undefined
          ? await store.create(record)
          : await store.replace({ ...record, version: found.document.version }, found.etag)
      if (written !== undefined) return
    }
  }

  #set({ direction, document, code }: RejectedRecord): void {
    if (code === null) this.#codes[direction].delete(document)
    else this.#codes[direction].set(document, code)
  }
}

const LIST_MAY_BE_BEHIND_MS = 60_000
