import { hash } from 'node:crypto'
import { type Identity, identityText, parseIdentityText } from '../documents/identity.ts'
import { HASH_BYTES } from './entry-record.ts'

/**
 * Hash of an identity, as a string with one byte in each character. Cryptographic, because users of an application may
 * choose ids: a second document with the same hash would lose its copy.
 */
export function hashOf(source: Identity): string {
  return hash('sha256', identityText(source), 'binary').slice(0, HASH_BYTES)
}

/** The identity of a copy as text, without the id if the document has the same one. */
export function targetText(source: Identity, target: Identity): string {
  return identityText(target.id === source.id ? { id: '', key: target.key } : target)
}

/** The inverse of `targetText`. */
export function parseTargetText(source: Identity, text: string): Identity {
  const { id, key } = parseIdentityText(text)
  return { id: id === '' ? source.id : id, key }
}
