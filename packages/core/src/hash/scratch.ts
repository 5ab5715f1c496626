/** Bytes to hash, and the same bytes as words. */
export interface Scratch {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** What hashing may overwrite behind the bytes of a component. */
const PADDING = 32
const KEPT_BYTES = 8192

const kept = createScratch(KEPT_BYTES)

/** Room for so many bytes. Its content lasts until the next call: hashing is synchronous and never keeps it. */
export function scratchFor(size: number): Scratch {
  // a huge text gets room of its own, or it would be held for good
  return size + PADDING <= KEPT_BYTES ? kept : createScratch(size + PADDING)
}

function createScratch(size: number): Scratch {
  const buffer = new ArrayBuffer(size)
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) }
}
