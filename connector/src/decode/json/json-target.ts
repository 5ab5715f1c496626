import { DecodeFailure } from '../decode-failure.ts'

/**
 * Buffer for JSON output. Documents follow each other in large blocks, since a buffer for each document would cost more
 * than writing it. Any document keeps its block alive. Written bytes never change.
 */
export class JsonTarget {
  bytes: Buffer
  view: DataView
  /** Position of the next byte. */
  at = 0
  #start = 0
  #depth = 0

  constructor() {
    this.bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.view = viewOf(this.bytes)
  }

  /** Begins a document, and drops one that was not ended. */
  begin(): void {
    // a block that grew for a large document is replaced: small documents would keep it alive
    if (this.bytes.length > BLOCK_BYTES) this.#renew(BLOCK_BYTES)
    this.at = this.#start
    this.#depth = 0
  }

  /** Returns the document that was begun last. */
  end(): Buffer {
    const document = this.bytes.subarray(this.#start, this.at)
    this.#start = this.at
    return document
  }

  /** Bytes of the document so far. */
  get length(): number {
    return this.at - this.#start
  }

  /** Reserves space for `count` more bytes. */
  reserve(count: number): void {
    if (this.at + count > this.bytes.length) this.#grow(count)
  }

  /** Counts one more open object or array. */
  enter(): void {
    if (++this.#depth > MAX_DEPTH) throw new DecodeFailure(`it is nested deeper than ${MAX_DEPTH} levels`)
  }

  leave(): void {
    this.#depth--
  }

  /** Writes one byte. The caller has reserved the space for it. */
  put(byte: number): void {
    this.bytes[this.at++] = byte
  }

  /** Writes ASCII characters. */
  writeAscii(text: string): void {
    this.reserve(text.length)
    const { bytes } = this
    let to = this.at
    for (let from = 0; from < text.length; from++) bytes[to++] = text.charCodeAt(from)
    this.at = to
  }

  #grow(count: number): void {
    const used = this.at - this.#start
    if (used + count > MAX_BYTES) throw new DecodeFailure(`it becomes longer than ${MAX_BYTES >> 20} MiB as JSON`)
    const written = this.bytes.subarray(this.#start, this.at)
    this.#renew(Math.max(BLOCK_BYTES, 2 * (used + count)))
    written.copy(this.bytes)
    this.at = used
  }

  #renew(size: number): void {
    this.bytes = Buffer.allocUnsafeSlow(size)
    this.view = viewOf(this.bytes)
    this.#start = 0
  }
}

const BLOCK_BYTES = 128 * 1024
/** Maximum number of levels in JSON, which is the limit of Cosmos DB. */
export const MAX_DEPTH = 128
// Cosmos DB accepts 2 MB; a few bytes of Avro can claim any number of values
const MAX_BYTES = 8 * 1024 * 1024

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}

/** Text that is written often, as words of four bytes. */
export interface PackedText {
  readonly words: Int32Array
  readonly length: number
}

/** Packs ASCII characters into words. */
export function packText(text: string): PackedText {
  const bytes = new Uint8Array(4 * Math.ceil(text.length / 4))
  new TextEncoder().encodeInto(text, bytes)
  const view = new DataView(bytes.buffer)
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, word) => view.getInt32(4 * word, true))
  return { words, length: text.length }
}

/** Writes a packed text. The next write overwrites the padding in its last word. */
export function writePacked(target: JsonTarget, { words, length }: PackedText): void {
  target.reserve(4 * words.length)
  const { view, at } = target
  let to = at
  for (let word = 0; word < words.length; word++, to += 4) view.setInt32(to, words[word], true)
  target.at = at + length
}
