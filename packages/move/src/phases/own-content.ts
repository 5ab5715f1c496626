import { joinedLength, joinInto } from '@keystamp/core'
import type { MoveContainer } from '../containers/move-container.ts'
import { createDocumentDigest } from '../digest/document-digest.ts'
import { hexOf } from '../digest/hash-state.ts'
import type { DocumentMapper, MappedDocument } from '../documents/document-mapper.ts'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { WrittenContents } from '../journal/written-contents.ts'

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
  /** Hash of the content, 32 hexadecimal digits. */
  readonly digest: string
}

/** Finds out whether documents of the container that is not in charge are what a move writes there. */
export class OwnContent {
  readonly #options: OwnContentOptions

  constructor(options: OwnContentOptions) {
    this.#options = options
  }

  of(document: StoredDocument): OtherContent {
    const { bytes, start, end } = document
    return { inCharge: this.#options.mapper.sourceOf(document), digest: digestOf(bytes, start, end) }
  }

  /** Reads the document of the container in charge. Its ETag is undefined if there is none. */
  async compare({ inCharge, digest }: OtherContent): Promise<{ readonly isOwn: boolean; readonly etag?: string }> {
    const { container, mapper, wallMs } = this.#options
    const document = inCharge === undefined ? undefined : await container.read(inCharge)
    if (document === undefined) return { isOwn: false }
    const { etag } = document
    const mapped = mapper.map(document, wallMs())
    if (mapped.kind !== 'mapped') return { isOwn: false, etag }
    return { isOwn: digestOfCopy(mapped) === digest, etag }
  }
}

/** The old container for the copy back, whose answers tell the watch which changes are those of the move. */
export function watched(
  container: MoveContainer,
  expect: (place: Identity, etag: string | undefined) => void
): MoveContainer {
  return {
    ...container,
    write: async (write, fence) => {
      const answer = await container.write(write, fence)
      const { identity } = write.kind === 'delete' ? write : write.document
      if (answer.kind === 'done') expect(identity, answer.etag)
      return answer
    }
  }
}

/**
 * A container whose written documents are remembered: the next process must know which of its changes the move has made.
 * A document that was not written, or without an answer, stays remembered.
 */
export function remembering(container: MoveContainer, written: WrittenContents): MoveContainer {
  return {
    ...container,
    write: async (write, fence) => {
      if (write.kind === 'delete') return container.write(write, fence)
      const digest = digestOfCopy(write.document)
      // before the write: the process may end between the two
      await written.add(digest)
      const answer = await container.write(write, fence)
      // the answer has an ETag, which tells more
      if (answer.kind === 'done') written.confirm(digest)
      return answer
    }
  }
}

function digestOfCopy({ stamped }: Pick<MappedDocument, 'stamped'>): string {
  const bytes = new Uint8Array(joinedLength(stamped))
  joinInto(stamped, bytes, 0)
  return digestOf(bytes, 0, bytes.length)
}

// the life that is left differs from one write to the next
const digest = createDocumentDigest({ leaveOutTtl: true })

function digestOf(bytes: Uint8Array, start: number, end: number): string {
  const into = new Int32Array(4)
  digest(bytes, start, end, into)
  return hexOf(into)
}
