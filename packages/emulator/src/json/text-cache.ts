/**
 * Values that are derived from short texts in bytes: documents repeat their partition keys, and finding a known text
 * takes less time than making a string. It remembers a fixed number of texts.
 */
export class TextCache<Value> {
  readonly #derive: (text: string) => Value
  readonly #texts: (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined)
  readonly #values: (Value | undefined)[] = Array.from({ length: SLOTS }, () => undefined)

  constructor(derive: (text: string) => Value) {
    this.#derive = derive
  }

  /** The value of the text at these positions, which must be ASCII. */
  read(bytes: Buffer, start: number, end: number): Value {
    const length = end - start
    if (length > MAX_LENGTH) return this.#derive(bytes.toString('latin1', start, end))
    let hash = length
    for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + bytes[at]
    const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1)
    const known = this.#texts[slot]
    if (known !== undefined && isSame(bytes, start, known, length)) return this.#values[slot] as Value
    const text = bytes.toString('latin1', start, end)
    const value = this.#derive(text)
    this.#texts[slot] = text
    this.#values[slot] = value
    return value
  }
}

const SLOTS = 1024
const MAX_LENGTH = 80

function isSame(bytes: Buffer, start: number, text: string, length: number): boolean {
  if (text.length !== length) return false
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false
  return true
}
