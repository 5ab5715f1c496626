import { isUtf8 } from 'node:buffer'
import { type CanonicalDocument, scanDocument } from '../store/canonical-document.ts'
import type { KnownMembers } from '../store/known-members.ts'

/** A body that is one canonical document and nothing else; undefined for anything else, valid or not. */
export function readCanonicalBody(body: Buffer, known: KnownMembers): CanonicalDocument | undefined {
  if (!isUtf8(body)) return undefined
  const document = scanDocument(body, new DataView(body.buffer, body.byteOffset, body.length), 0, known)
  return document?.end === body.length ? document : undefined
}
