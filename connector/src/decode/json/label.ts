import type { JsonTarget } from './json-target.ts'

/** Bytes that are written often, cut into words of four. */
export interface Label {
  readonly words: Int32Array
  readonly length: number
}

/** Prepares text of characters below 0x80. */
export function createLabel(text: string): Label {
  const bytes = new Uint8Array(4 * Math.ceil(text.length / 4))
  new TextEncoder().encodeInto(text, bytes)
  const view = new DataView(bytes.buffer)
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, word) => view.getInt32(4 * word, true))
  return { words, length: text.length }
}

/** Writes a prepared text; bytes of its last word that are no part of it are overwritten by what comes next. */
export function writeLabel(target: JsonTarget, { words, length }: Label): void {
  target.reserve(4 * words.length)
  const { view, at } = target
  let to = at
  for (let word = 0; word < words.length; word++, to += 4) view.setInt32(to, words[word], true)
  target.at = at + length
}
