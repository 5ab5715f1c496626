import { isSameIdentity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { Difference, DifferenceKind, SeenVersion } from './difference.ts'
import type { ExpectedCopy } from './document-matching.ts'

/** The documents of one identity, as they were read. */
export interface ReadDocuments {
  readonly document: string
  readonly identity: Difference['identity']
  /** Undefined if the source does not have it. */
  readonly source: StoredDocument | undefined
  /** Where its copy should be; only with `source`. */
  readonly expected: ExpectedCopy | undefined
  readonly copies: readonly StoredDocument[]
  readonly hasEqualContent: (copy: StoredDocument) => boolean
}

/** Compares the documents of one identity. Each copy that is wrong is one difference. */
export function judge(read: ReadDocuments): readonly Difference[] {
  const { source, expected, copies, hasEqualContent } = read
  if (source === undefined || expected === undefined) return copies.map((copy) => differ('extra', copy))
  if (expected.kind === 'optional') return []
  if (expected.kind === 'at') {
    const { place } = expected
    const right = copies.find((copy) => isSameIdentity(copy.identity, place))
    if (right !== undefined) return withRest(right, hasEqualContent(right) ? undefined : 'different')
    return withRest(copies.find(hasEqualContent) ?? copies[0], copies.length === 0 ? 'missing' : 'misplaced')
  }
  const best = copies.find(hasEqualContent)
  if (expected.kind === 'anywhere' && best !== undefined) return withRest(best, undefined)
  return withRest(copies[0], copies.length === 0 ? 'missing' : 'different')

  /** All copies but the one that counts are too many. */
  function withRest(copy: StoredDocument | undefined, kind: DifferenceKind | undefined): readonly Difference[] {
    const rest = copies.filter((other) => other !== copy).map((other) => differ('extra', other))
    return kind === undefined ? rest : [differ(kind, copy), ...rest]
  }

  function differ(kind: DifferenceKind, copy: StoredDocument | undefined): Difference {
    return {
      kind,
      document: read.document,
      identity: read.identity,
      source: seen(source),
      copy: seen(copy),
      planned: expected?.kind === 'at' ? expected.place : undefined,
      places: copies.map(({ identity }) => identity),
      code: expected?.kind === 'impossible' ? expected.code : undefined
    }
  }
}

function seen(document: StoredDocument | undefined): SeenVersion | undefined {
  return document === undefined ? undefined : { place: document.identity, etag: document.etag }
}
