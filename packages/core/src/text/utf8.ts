const REPLACEMENT = 0xfffd

/**
 * Writes a string as UTF-8 from `at` on, up to three bytes for each UTF-16 unit. A lone surrogate becomes U+FFFD.
 * Returns the end.
 */
export function writeUtf8(text: string, bytes: Uint8Array, at: number): number {
  let end = at
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      bytes[end++] = unit
    } else if ((unit & 0xf800) !== 0xd800) {
      end = writeRest(unit, bytes, end)
    } else {
      const point = pairAt(text, index)
      if (point > 0xffff) index++
      end = writeRest(point, bytes, end)
    }
  }
  return end
}

/** Length of a well-formed string in UTF-8 bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    // each half of a surrogate pair counts two bytes
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2
  }
  return bytes
}

/** Decodes UTF-8, and keeps a byte order mark. Returns undefined for bytes that are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

interface Decoder {
  decode: (bytes: Uint8Array) => string
}
declare const TextDecoder: new (encoding: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean }) => Decoder

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function writeRest(point: number, bytes: Uint8Array, at: number): number {
  let end = at
  if (point < 0x800) {
    bytes[end++] = 0xc0 | (point >> 6)
  } else if (point < 0x10000) {
    bytes[end++] = 0xe0 | (point >> 12)
    bytes[end++] = 0x80 | ((point >> 6) & 0x3f)
  } else {
    bytes[end++] = 0xf0 | (point >> 18)
    bytes[end++] = 0x80 | ((point >> 12) & 0x3f)
    bytes[end++] = 0x80 | ((point >> 6) & 0x3f)
  }
  bytes[end++] = 0x80 | (point & 0x3f)
  return end
}

function pairAt(text: string, index: number): number {
  const point = text.codePointAt(index) ?? REPLACEMENT
  return point > 0xffff ? point : REPLACEMENT
}
