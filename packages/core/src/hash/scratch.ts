/** Bytes to hash, and the same bytes as words. */
export interface Scratch {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** Number of bytes after a component that hashing may overwrite. */
const PADDING = 32
const KEPT_BYTES = 8192

const kept = createScratch(KEPT_BYTES)

/** Buffer for `size` bytes. Its content is valid until the next call: hashing is synchronous and never keeps it. */
export function scratchFor(size: number): Scratch {
  // a huge string gets a buffer of its own, which is not kept
  return size + PADDING <= KEPT_BYTES ? kept : createScratch(size + PADDING)
}

function createScratch(size: number): Scratch {
  const buffer = new ArrayBuffer(size)
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) }
}
