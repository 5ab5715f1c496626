import type { Fence } from '@keystamp/cosmos'
import type { DocumentWrite, FeedRange, MoveContainer } from '../containers/move-container.ts'
import type { MappedDocument } from '../documents/document-mapper.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { LeaseDocument, Stored } from './lease-documents.ts'
import { LeaseLostError } from './lease-lost-error.ts'

interface ListedRange {
  readonly range: FeedRange
  /** Session token of the last answer, so that no list is older than the one before. */
  token: string | undefined
}

/** The documents of a lease container, whose partition key is `/id`. Every change has a condition. */
export class LeaseStore {
  readonly #container: MoveContainer
  readonly #writer: string
  #writes = 0
  #ranges: ListedRange[] | undefined

  /** `writer`: unique for each process. */
  constructor(container: MoveContainer, writer: string) {
    this.#container = container
    this.#writer = writer
  }

  get name(): string {
    return this.#container.name
  }

  /** Reads all documents. Those that change meanwhile are listed with one of their versions. */
  async list(): Promise<ReadonlyMap<string, Stored>> {
    this.#ranges ??= (await this.#container.feedRanges()).map((range) => ({ range, token: undefined }))
    const found = new Map<string, Stored>()
    const read = await Promise.all(this.#ranges.map((range) => this.#listRange(range, 'beginning', found)))
    this.#ranges = read.flat()
    return found
  }

  async read(id: string): Promise<Stored | undefined> {
    const document = await this.#container.read({ key: [id], id })
    return document === undefined ? undefined : toStored(document)
  }

  /** Undefined if there is a document with this id. */
  create<Document extends LeaseDocument>(document: Document, fence?: Fence): Promise<Stored<Document> | undefined> {
    return this.#store(document, undefined, fence)
  }

  /** Undefined if the document has another ETag, or does not exist any more. */
  replace<Document extends LeaseDocument>(
    document: Document,
    etag: string,
    fence?: Fence
  ): Promise<Stored<Document> | undefined> {
    return this.#store({ ...document, version: document.version + 1 }, etag, fence)
  }

  async #store<Document extends LeaseDocument>(
    untagged: Document,
    etag: string | undefined,
    fence?: Fence
  ): Promise<Stored<Document> | undefined> {
    const document = { ...untagged, tag: `${this.#writer}.${++this.#writes}` }
    const mapped = toMapped(document)
    const write: DocumentWrite =
      etag === undefined ? { kind: 'create', document: mapped } : { kind: 'replace', document: mapped, ifMatch: etag }
    const answer = await this.#container.write(write, fence).catch((error: unknown) => {
      throw fence?.isLost === true ? new LeaseLostError(document.id) : error
    })
    if (answer.kind === 'rejected')
      throw new Error(`${this.name} refuses the document ${document.id}: ${answer.message}`)
    if (answer.kind === 'done' && answer.etag !== undefined) return { document, etag: answer.etag }
    // the answer to an earlier request of this write may have been lost
    const found = await this.read(document.id)
    return found?.document.tag === document.tag ? { document, etag: found.etag } : undefined
  }

  async #listRange(
    { range, token }: ListedRange,
    begin: string,
    found: Map<string, Stored>
  ): Promise<readonly ListedRange[]> {
    let from = begin
    let sessionToken = token
    for (;;) {
      const answer = await this.#container.readChanges({ range, mode: 'latest', from, sessionToken })
      if (answer.kind === 'split') {
        const parts = answer.ranges.map((part) => this.#listRange({ range: part, token: sessionToken }, from, found))
        return (await Promise.all(parts)).flat()
      }
      for (const document of answer.documents) {
        const stored = toStored(document)
        if (stored !== undefined) found.set(stored.document.id, stored)
      }
      sessionToken = answer.sessionToken ?? sessionToken
      from = answer.position
      if (answer.isEnd) return [{ range, token: sessionToken }]
    }
  }
}

/** Undefined for a document that is no lease. */
function toStored({ bytes, start, end, etag }: StoredDocument): Stored | undefined {
  const document = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as Partial<LeaseDocument>
  const isLease = document.kind !== undefined && KINDS.includes(document.kind) && typeof document.version === 'number'
  return isLease ? { document: withoutSystemMembers(document as LeaseDocument), etag } : undefined
}

const KINDS: readonly LeaseDocument['kind'][] = ['move', 'range', 'worker', 'rejected']

function withoutSystemMembers(document: LeaseDocument): LeaseDocument {
  const members = Object.entries(document).filter(([name]) => !name.startsWith('_'))
  return Object.fromEntries(members) as unknown as LeaseDocument
}

function toMapped(document: LeaseDocument): MappedDocument {
  const { id } = document
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  return {
    kind: 'mapped',
    identity: { key: [id], id },
    stamped: { ok: true, bytes, start: 0, end: bytes.length, splices: [], values: [id], id, version: 0 }
  }
}
