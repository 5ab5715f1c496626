interface Decoder {
  decode: (bytes: Uint8Array) => string
}
declare const TextDecoder: new (encoding: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean }) => Decoder

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of bytes; undefined where they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
