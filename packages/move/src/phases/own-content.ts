import { joinedLength, joinInto } from '@keystamp/core'
import type { MoveContainer } from '../containers/move-container.ts'
import { createDocumentDigest } from '../digest/document-digest.ts'
import type { Words128 } from '../digest/hash-state.ts'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'

/** Documents of the container in charge, as the way back would write them to the other one. */
export interface OwnContentOptions {
  readonly container: MoveContainer
  /** From the container in charge to the other one. */
  readonly mapper: DocumentMapper
  readonly wallMs: () => number
}

/** A document of the other container, reduced to what is compared. */
export interface OtherContent {
  /** Identity in the container in charge; undefined if there can be none. */
  readonly inCharge: Identity | undefined
  readonly digest: Words128
}

/** Finds out whether documents of the container that is not in charge are what a move writes there. */
export class OwnContent {
  readonly #options: OwnContentOptions
  // the life that is left differs from one write to the next
  readonly #digest = createDocumentDigest({ leaveOutTtl: true })

  constructor(options: OwnContentOptions) {
    this.#options = options
  }

  of(document: StoredDocument): OtherContent {
    const { bytes, start, end } = document
    return { inCharge: this.#options.mapper.sourceOf(document), digest: this.#digestOf(bytes, start, end) }
  }

  /** Reads the document of the container in charge. Its ETag is undefined if there is none. */
  async compare({ inCharge, digest }: OtherContent): Promise<{ readonly isOwn: boolean; readonly etag?: string }> {
    const { container, mapper, wallMs } = this.#options
    const document = inCharge === undefined ? undefined : await container.read(inCharge)
    if (document === undefined) return { isOwn: false }
    const { etag } = document
    const mapped = mapper.map(document, wallMs())
    if (mapped.kind !== 'mapped') return { isOwn: false, etag }
    const bytes = new Uint8Array(joinedLength(mapped.stamped))
    joinInto(mapped.stamped, bytes, 0)
    return { isOwn: isSame(this.#digestOf(bytes, 0, bytes.length), digest), etag }
  }

  #digestOf(bytes: Uint8Array, start: number, end: number): Words128 {
    const into = new Int32Array(4)
    this.#digest(bytes, start, end, into)
    return into
  }
}

function isSame(one: Words128, other: Words128): boolean {
  return one.every((word, index) => word === other[index])
}
