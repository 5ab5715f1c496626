import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  createFieldReader,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE
} from '@keystamp/core/internal'

/** Reads the element that begins at `start`. Returns the position after it; a negative number if it is not valid. */
export type ReadElement = (start: number, limit: number) => number

/**
 * Cuts a page of a feed, `{"_rid": ..., "Documents": [...], "_count": ...}`, into its elements without parsing it.
 * Returns false if the bytes are not a whole page, as with an answer of a proxy.
 */
export function cutPage(bytes: Uint8Array, readElement: ReadElement): boolean {
  const limit = endOf(bytes)
  if (bytes[limit - 1] !== CLOSE_BRACE) return false
  let hasDocuments = false
  let at = skip(bytes, 0)
  if (bytes[at] !== OPEN_BRACE) return false
  do {
    const name = skip(bytes, at + 1)
    if (bytes[name] !== QUOTE) return false
    const nameEnd = skipper.scan(bytes, name, limit)
    if (nameEnd < 0) return false
    at = skip(bytes, nameEnd)
    if (bytes[at] !== COLON) return false
    const value = skip(bytes, at + 1)
    const isDocuments = isName(bytes, name, nameEnd) && bytes[value] === OPEN_BRACKET
    at = isDocuments ? cutArray(bytes, value, limit, readElement) : skipper.scan(bytes, value, limit)
    if (at < 0) return false
    if (isDocuments) hasDocuments = true
    at = skip(bytes, at)
  } while (bytes[at] === COMMA)
  return hasDocuments && at === limit - 1
}

function cutArray(bytes: Uint8Array, start: number, limit: number, readElement: ReadElement): number {
  let at = skip(bytes, start + 1)
  if (bytes[at] === CLOSE_BRACKET) return at + 1
  for (;;) {
    if (bytes[at] !== OPEN_BRACE) return INVALID
    const end = readElement(at, limit)
    if (end < 0) return INVALID
    at = skip(bytes, end)
    if (bytes[at] === CLOSE_BRACKET) return at + 1
    if (bytes[at] !== COMMA) return INVALID
    at = skip(bytes, at + 1)
  }
}

const INVALID = -1

// finds the end of any value, and reads none
const skipper = createFieldReader([])

const DOCUMENTS = new TextEncoder().encode('"Documents"')

function isName(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== DOCUMENTS.length) return false
  return DOCUMENTS.every((byte, index) => bytes[start + index] === byte)
}

function skip(bytes: Uint8Array, at: number): number {
  let p = at
  while (isSpace(bytes[p])) p++
  return p
}

function endOf(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && isSpace(bytes[end - 1])) end--
  return end
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
