/** Lends buffers and takes them back: a new one for every piece would wait for the garbage collector by the tens of megabytes. */
export interface BufferPool {
  readonly lend: (size: number) => Buffer
  /** Takes back the buffer that these bytes lie in. */
  readonly giveBack: (bytes: Buffer) => void
}

const MOST_KEPT = 3
const STEP_BYTES = 64 * 1024

export function createBufferPool(): BufferPool {
  const free: Buffer[] = []
  const lent = new WeakSet<ArrayBufferLike>()
  return {
    lend: (size) => {
      const found = free.findIndex((buffer) => buffer.length >= size)
      if (found >= 0) return free.splice(found, 1)[0]
      // those that are too small now will be so again
      free.length = 0
      const buffer = Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES)
      lent.add(buffer.buffer)
      return buffer
    },
    giveBack: (bytes) => {
      // a small buffer of somebody else's may be a piece of Node's own pool
      if (free.length < MOST_KEPT && lent.has(bytes.buffer)) free.push(Buffer.from(bytes.buffer, 0, bytes.buffer.byteLength))
    }
  }
}
