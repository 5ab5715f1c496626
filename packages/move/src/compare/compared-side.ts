import { KeystampError } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import { pointerOfPath } from '@keystamp/cosmos'
import type { MoveContainer } from '../containers/move-container.ts'
import { createDocumentDigest, type DigestOptions } from '../digest/document-digest.ts'
import type { Words128 } from '../digest/hash-state.ts'
import { hashIdentity, hashPlace } from '../digest/identity-hash.ts'
import { createPageDigests, type PageDigest } from '../digest/page-digest.ts'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { type DocumentMatching, lacksFields, placeOf } from './document-matching.ts'
import { FeedScan, type FeedScanOptions } from './feed-scan.ts'

/** One of the two containers of a comparison, with what counts in its documents. */
export interface ComparedSide {
  readonly container: MoveContainer
  readonly scan: FeedScan
  readonly identify: (document: StoredDocument) => Identity
  /** Writes the hash of this identity. Returns whether the document has any of the fields of an identity. */
  readonly hash: (document: StoredDocument, into: Words128) => boolean
  /** Digest of what must be equal on both sides: the content, and the place of the copy if that counts. */
  readonly digest: (document: StoredDocument, into: Words128) => void
  /** Creates readers of whole pages, if the identity of a document is its place, and only its content counts. */
  readonly createPage: (() => PageDigest) | undefined
  /** Digest of the content alone. */
  readonly content: (document: StoredDocument, into: Words128) => void
}

export interface SideOptions extends FeedScanOptions {
  readonly matching: DocumentMatching
  readonly left: DigestOptions
}

export function createSourceSide({ matching, left, ...scan }: SideOptions): ComparedSide {
  const { ofSource, copyOf, checksPlace } = matching
  const place = new Int32Array(4)
  const content = contentDigest(left, scan.container)
  return {
    container: scan.container,
    scan: new FeedScan(scan),
    identify: ofSource,
    hash: hashBy(ofSource),
    createPage: pagesBy(ofSource, matching, left, scan.container),
    content,
    digest: (document, into) => {
      content(document, into)
      if (!checksPlace) return
      const copy = copyOf(document)
      if (copy.kind !== 'at') return
      hashIdentity(copy.place, place)
      addPlace(into, place)
    }
  }
}

export function createTargetSide({ matching, left, ...scan }: SideOptions): ComparedSide {
  const { ofTarget, checksPlace } = matching
  const place = new Int32Array(4)
  const content = contentDigest(left, scan.container)
  return {
    container: scan.container,
    scan: new FeedScan(scan),
    identify: ofTarget,
    hash: hashBy(ofTarget),
    createPage: pagesBy(ofTarget, matching, left, scan.container),
    content,
    digest: (document, into) => {
      content(document, into)
      if (!checksPlace) return
      hashPlace(document, place)
      addPlace(into, place)
    }
  }
}

function hashBy(identify: ComparedSide['identify']): ComparedSide['hash'] {
  if (identify === placeOf) return hashPlace
  return (document, into) => {
    const identity = identify(document)
    hashIdentity(identity, into)
    return !lacksFields(identity)
  }
}

function pagesBy(
  identify: ComparedSide['identify'],
  { checksPlace }: DocumentMatching,
  left: DigestOptions,
  { definition: { partitionKey } }: MoveContainer
): ComparedSide['createPage'] {
  const [members, ...others] = partitionKey.paths.map((path) => parsePointer(pointerOfPath(path)) ?? [])
  const isPossible = identify === placeOf && !checksPlace && others.length === 0 && members.length === 1
  return isPossible ? createPageDigests(left, members[0]) : undefined
}

function contentDigest(left: DigestOptions, { name }: MoveContainer): ComparedSide['content'] {
  const digest = createDocumentDigest(left)
  return ({ bytes, start, end }, into) => {
    if (digest(bytes, start, end, into)) return
    throw new KeystampError('COSMOS_REFUSED', `${name} returned a document that is not valid JSON. Try again.`)
  }
}

function addPlace(content: Words128, place: Words128): void {
  for (let word = 0; word < 4; word++) content[word] = (content[word] + place[word]) | 0
}
