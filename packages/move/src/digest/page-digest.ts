import type { FeedDocument, PageReader } from '@keystamp/cosmos'
import { type DigestOptions, DigestScan } from './document-digest.ts'
import type { Words128 } from './hash-state.ts'
import { hashPlace, hashPlaceAt } from './identity-hash.ts'
import { isAnyMarker, mayHaveMarker } from '../markers/marker.ts'

// the words of a document: hash of its place, digest, whether it has a key
export const PLACE = 0
export const CONTENT = 4
const HAS_KEY = 8
const STRIDE = 9
const FIRST_DOCUMENTS = 1024

// where the positions of the watched members are
const ID = 2
const KEY = 4

/** Creates readers of pages of a container whose key is the member `key` of a document. */
export function createPageDigests(options: DigestOptions, key: string): () => PageDigest {
  const scan = new DigestScan(options, ['id', key])
  return () => new PageDigest(scan, key === 'id' ? KEY : ID)
}

/**
 * Hashes of the documents of one page: of their places, and of their contents. It reads each document once, and makes no
 * object for it. Its memory is used for the next page.
 */
export class PageDigest implements PageReader {
  readonly #scan: DigestScan
  readonly #id: number
  readonly #hash: Words128 = new Int32Array(4)
  #bytes: Buffer = Buffer.alloc(0)
  #mayHaveMarker = false
  /** The hashes of the documents, which begin at `at`. */
  words: Int32Array = new Int32Array(FIRST_DOCUMENTS * STRIDE)
  size = 0
  /** Bytes of all documents. */
  length = 0

  constructor(scan: DigestScan, id: number) {
    this.#scan = scan
    this.#id = id
  }

  begin(bytes: Buffer): void {
    this.#bytes = bytes
    this.size = 0
    this.length = 0
    this.#mayHaveMarker = mayHaveMarker(bytes, 0, bytes.length)
  }

  /** Position of the words of a document. */
  at(index: number): number {
    return index * STRIDE
  }

  hasKey(index: number): boolean {
    return this.words[index * STRIDE + HAS_KEY] === 1
  }

  read(start: number, limit: number, documentAt: Parameters<PageReader['read']>[2]): number {
    const end = this.#readNext(start, limit, documentAt)
    if (end < 0 || !this.#mayHaveMarker || !isAnyMarker({ bytes: this.#bytes, start, end })) return end
    // the marker of a deleted document is no document
    this.size--
    this.length -= end - start
    return end
  }

  #readNext(start: number, limit: number, documentAt: Parameters<PageReader['read']>[2]): number {
    if ((this.size + 1) * STRIDE > this.words.length) this.#grow()
    const bytes = this.#bytes
    const index = this.size++
    const at = index * STRIDE
    const { words } = this
    const { found } = this.#scan
    const end = this.#scan.follow(bytes, start, limit, words, at + CONTENT)
    if (end < 0) return this.#readOther(index, documentAt(start, limit), false)
    const id = this.#id
    const isPlain = hashPlaceAt(bytes, found[id], found[id + 1], found[KEY], found[KEY + 1], words, at + PLACE)
    if (!isPlain) return this.#readOther(index, documentAt(start, limit), true)
    words[at + HAS_KEY] = 1
    this.length += end - start
    return end
  }

  /** A document with another order of members, or whose place is no plain text. */
  #readOther(index: number, document: FeedDocument | undefined, hasDigest: boolean): number {
    if (document === undefined) return INVALID
    const { bytes, start, end } = document
    const at = index * STRIDE
    const hash = this.#hash
    if (!hasDigest) {
      if (!this.#scan.run(bytes, start, end, hash)) return INVALID
      this.words.set(hash, at + CONTENT)
    }
    this.words[at + HAS_KEY] = hashPlace(document, hash) ? 1 : 0
    this.words.set(hash, at + PLACE)
    this.length += end - start
    return end
  }

  #grow(): void {
    const { words } = this
    this.words = new Int32Array(words.length * 2)
    this.words.set(words)
  }
}

const INVALID = -1
