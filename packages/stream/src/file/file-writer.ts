import type { FileHandle } from 'node:fs/promises'
import { createBufferPool } from './buffer-pool.ts'

/** Writes to an open file, one piece on its way while the next is made. */
export interface FileWriter {
  readonly write: (bytes: Buffer) => Promise<void>
  /** Waits for the last piece. */
  readonly settle: () => Promise<void>
  readonly allocate: (size: number) => Buffer
}

export function createFileWriter(file: FileHandle): FileWriter {
  const pool = createBufferPool()
  let behind: Promise<void> = Promise.resolve()
  return {
    allocate: pool.lend,
    settle: () => behind,
    write: async (bytes) => {
      await behind
      behind = writeAll(bytes)
      // whoever writes next, or settles, hears of it
      behind.catch(() => {})
    }
  }

  async function writeAll(bytes: Buffer): Promise<void> {
    let at = 0
    while (at < bytes.length) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at)
      at += bytesWritten
    }
    pool.giveBack(bytes)
  }
}
