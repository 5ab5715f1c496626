/** Position of a document's bytes. Compaction changes these values, so no other object may keep a copy of them. */
export interface SlabHolder {
  slab: Slab
  offset: number
  length: number
}

/** A block of memory with the bytes of documents, and the holders of these bytes. */
export interface Slab {
  readonly bytes: Buffer
  used: number
  live: number
  holders: SlabHolder[]
}

/**
 * Keeps documents as bytes outside the JavaScript heap. The content of a half unused slab moves to the current slab.
 */
export class Slabs {
  #current: Slab = newSlab(FIRST_BYTES)
  #adopted: Slab = NOWHERE
  #lent: Buffer | undefined = undefined

  /** Stores a string for a holder that has no bytes yet. */
  put(holder: SlabHolder, text: string, byteLength: number): void {
    const slab = this.#room(byteLength)
    // one byte per character means ASCII, which Latin-1 writes fastest
    if (byteLength === text.length) slab.bytes.write(text, slab.used, byteLength, 'latin1')
    else slab.bytes.write(text, slab.used, byteLength, 'utf8')
    this.#own(holder, slab, byteLength)
  }

  /**
   * Lets `copy` keep parts of these bytes instead of copying them, until `settle`. The bytes must not change any more,
   * and most of them must be documents that are about to be stored.
   */
  lend(bytes: Buffer): void {
    this.#lent = bytes
  }

  /** Ends `lend`. If few of the bytes are in use, these are copied after all, and the rest is free. */
  settle(): void {
    const { bytes, live } = this.#adopted
    if (bytes === this.#lent && live * 2 < bytes.length) {
      this.#empty(this.#adopted)
      this.#adopted = NOWHERE
    }
    this.#lent = undefined
  }

  /** Stores a copy of bytes for a holder that has no bytes yet. */
  copy(holder: SlabHolder, bytes: Buffer, start: number, end: number): void {
    if (bytes === this.#lent) {
      this.adopt(holder, bytes, start, end)
      return
    }
    const slab = this.#room(end - start)
    bytes.copy(slab.bytes, slab.used, start, end)
    this.#own(holder, slab, end - start)
  }

  /** Uses bytes, which must not change any more, for a holder that has no bytes yet. */
  adopt(holder: SlabHolder, bytes: Buffer, start: number, end: number): void {
    if (this.#adopted.bytes !== bytes) this.#adopted = { bytes, used: 0, live: 0, holders: [] }
    this.#own(holder, this.#adopted, end - start)
    holder.offset = start
  }

  /** Frees a holder's bytes. */
  drop(holder: SlabHolder): void {
    const slab = holder.slab
    slab.live -= holder.length
    holder.slab = NOWHERE
    if (slab !== this.#current && slab.live * 2 < slab.used) this.#empty(slab)
  }

  #room(byteLength: number): Slab {
    const current = this.#current
    if (current.used + byteLength <= current.bytes.length) return current
    this.#current = newSlab(Math.max(SLAB_BYTES, byteLength))
    return this.#current
  }

  #own(holder: SlabHolder, slab: Slab, byteLength: number): void {
    holder.slab = slab
    holder.offset = slab.used
    holder.length = byteLength
    slab.used += byteLength
    slab.live += byteLength
    slab.holders.push(holder)
  }

  #empty(slab: Slab): void {
    for (const holder of slab.holders) {
      if (holder.slab !== slab) continue
      const target = this.#room(holder.length)
      slab.bytes.copy(target.bytes, target.used, holder.offset, holder.offset + holder.length)
      this.#own(holder, target, holder.length)
    }
    slab.holders = []
    slab.live = 0
    slab.used = 0
  }
}

/** The slab of a holder without bytes. */
export const NOWHERE: Slab = newSlab(0)

const SLAB_BYTES = 4 << 20
// small, since tests create hundreds of empty containers
const FIRST_BYTES = 16 << 10

function newSlab(size: number): Slab {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, holders: [] }
}
