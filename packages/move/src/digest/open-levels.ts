import type { LeftOutPath } from './left-out-paths.ts'

const FIRST_LEVELS = 136

/** The objects and arrays that a scan has opened, by level: 0 for the document. Four words of a level begin at 4 * level. */
export class OpenLevels {
  kinds: Uint8Array = new Uint8Array(FIRST_LEVELS)
  /** Number of an object in the set of members. */
  objects: Int32Array = new Int32Array(FIRST_LEVELS)
  /** Number of the members that count, or of the elements. */
  counts: Int32Array = new Int32Array(FIRST_LEVELS)
  /** Place of the names so far in a layout. */
  layouts: Int32Array = new Int32Array(FIRST_LEVELS)
  /** Sum of the hashes of the members. */
  sums: Int32Array = new Int32Array(FIRST_LEVELS * 4)
  /** Hash of the name of the current member, or of the elements so far. */
  heads: Int32Array = new Int32Array(FIRST_LEVELS * 4)
  /** Places of the open values and, at the level after them, of the current value. */
  readonly places: (LeftOutPath | undefined)[] = []

  /** Opens an object without members; `object` is its number. */
  openObject(level: number, kind: number, object: number): void {
    if (level === this.kinds.length) this.#enlarge()
    this.kinds[level] = kind
    this.counts[level] = 0
    this.objects[level] = object
    this.#setWords(this.sums, level, 0)
  }

  /** Opens an array without elements, whose hash begins with `seed`. */
  openArray(level: number, kind: number, seed: number): void {
    if (level === this.kinds.length) this.#enlarge()
    this.kinds[level] = kind
    this.counts[level] = 0
    this.#setWords(this.heads, level, seed)
  }

  #setWords(words: Int32Array, level: number, first: number): void {
    const at = level * 4
    words[at] = first
    words[at + 1] = 0
    words[at + 2] = 0
    words[at + 3] = 0
  }

  #enlarge(): void {
    const levels = this.kinds.length * 2
    this.kinds = copied(this.kinds, new Uint8Array(levels))
    this.objects = copied(this.objects, new Int32Array(levels))
    this.counts = copied(this.counts, new Int32Array(levels))
    this.layouts = copied(this.layouts, new Int32Array(levels))
    this.sums = copied(this.sums, new Int32Array(levels * 4))
    this.heads = copied(this.heads, new Int32Array(levels * 4))
  }
}

function copied<T extends Uint8Array | Int32Array>(old: T, into: T): T {
  into.set(old)
  return into
}
