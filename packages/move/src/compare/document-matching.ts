import { createFieldReader, parsePointer } from '@keystamp/core/internal'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'

/** Which documents of two containers belong together, and where the copy of a document belongs. */
export interface DocumentMatching {
  readonly ofSource: (document: StoredDocument) => Identity
  readonly ofTarget: (document: StoredDocument) => Identity
  /** Place in the source of the document with this identity; undefined if the identity does not tell it. */
  readonly sourceOf: (identity: Identity) => Identity | undefined
  /** Where the target should have the copy of a document of the source. */
  readonly copyOf: (document: StoredDocument) => ExpectedCopy
  /** Whether equal content at another place is a difference. */
  readonly checksPlace: boolean
  /** The fields of the identity, for messages. */
  readonly fields: readonly string[]
}

/**
 * `at`: at this place. `anywhere`: the place is not known. `optional`: the document expires soon, so the copy may be
 * missing. `impossible`: the plan rejects the document.
 */
export type ExpectedCopy =
  | { readonly kind: 'at'; readonly place: Identity }
  | { readonly kind: 'anywhere' }
  | { readonly kind: 'optional' }
  | { readonly kind: 'impossible'; readonly code: string }

/** Reads some fields of a document as the values of a key. */
export type FieldValues = (document: StoredDocument) => Identity['key']

/** The values of the key of the document itself. */
export const ownKey: FieldValues = ({ identity }) => identity.key

/** Creates a reader of the fields at these JSON pointers. */
export function createFieldValues(pointers: readonly string[]): FieldValues {
  const reader = createFieldReader(pointers.map((pointer) => parsePointer(pointer) ?? []))
  return ({ bytes, start, end }) => {
    reader.scan(bytes, start, end)
    return pointers.map((_, field) => reader.component(field))
  }
}

/** The identity is the place in the source; a plan tells the place of the copy. */
export function matchByPlan(
  mapper: Pick<DocumentMapper, 'map' | 'sourceOf'>,
  fields: readonly string[],
  wallMs: () => number
): DocumentMatching {
  return {
    ofSource: placeOf,
    ofTarget: (document) => mapper.sourceOf(document) ?? foreignIdentity(document.identity),
    sourceOf: ownPlace,
    copyOf: (document) => plannedCopy(mapper, document, wallMs()),
    checksPlace: true,
    fields
  }
}

/**
 * The identity is the place in the source, and the copy has the same fields. `targetKey` reads the key of the target
 * from a document of the source; undefined if these documents do not have it.
 */
export function matchByKey(
  sourceKey: FieldValues,
  targetKey: FieldValues | undefined,
  fields: readonly string[]
): DocumentMatching {
  return {
    ofSource: placeOf,
    ofTarget: sourceKey === ownKey ? placeOf : (document) => ({ key: sourceKey(document), id: document.identity.id }),
    sourceOf: ownPlace,
    copyOf: (document) =>
      targetKey === undefined
        ? ANYWHERE
        : { kind: 'at', place: { key: targetKey(document), id: document.identity.id } },
    checksPlace: false,
    fields
  }
}

/** The identity consists of the values of any fields. */
export function matchByFields(
  read: FieldValues,
  fields: readonly string[],
  mapper: Pick<DocumentMapper, 'map'> | undefined,
  wallMs: () => number
): DocumentMatching {
  const identify = (document: StoredDocument): Identity => {
    const key = read(document)
    return lacksFields({ key, id: '' }) ? foreignIdentity(document.identity) : { key, id: '' }
  }
  return {
    ofSource: identify,
    ofTarget: identify,
    sourceOf: () => undefined,
    copyOf: (document) => (mapper === undefined ? ANYWHERE : plannedCopy(mapper, document, wallMs())),
    checksPlace: mapper !== undefined,
    fields
  }
}

/** The identity that is the place of the document itself. */
export const placeOf = ({ identity }: StoredDocument): Identity => identity

/** Whether a document has none of the fields of its identity. */
export function lacksFields({ key }: Identity): boolean {
  return key.every((value) => value === undefined)
}

function plannedCopy(mapper: Pick<DocumentMapper, 'map'>, document: StoredDocument, nowMs: number): ExpectedCopy {
  const mapped = mapper.map(document, nowMs)
  if (mapped.kind === 'mapped') return { kind: 'at', place: mapped.identity }
  return mapped.kind === 'expiring' ? OPTIONAL : { kind: 'impossible', code: mapped.code }
}

/** Identity of a document that has none of the fields: by its place, and with a key that no other identity has. */
function foreignIdentity(place: Identity): Identity {
  return { key: [], id: identityText(place) }
}

function ownPlace(identity: Identity): Identity | undefined {
  return identity.key.length === 0 ? undefined : identity
}

const ANYWHERE: ExpectedCopy = { kind: 'anywhere' }
const OPTIONAL: ExpectedCopy = { kind: 'optional' }
