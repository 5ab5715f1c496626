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
  return {
    lend: (size) => {
      const found = free.findIndex((buffer) => buffer.length >= size)
      if (found >= 0) return free.splice(found, 1)[0]
      // those that are too small now will be so again
      free.length = 0
      return Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES)
    },
    giveBack: (bytes) => {
      if (free.length < MOST_KEPT) free.push(Buffer.from(bytes.buffer, 0, bytes.buffer.byteLength))
    }
  }
}
