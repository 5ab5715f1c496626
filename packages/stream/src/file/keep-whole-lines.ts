import { type FileHandle, open, rm } from 'node:fs/promises'

/** Cuts off the line that a file ends within, and removes a file of which nothing is left. What is compressed is left as it is. */
export async function keepWholeLines(path: string, isCompressed: boolean): Promise<void> {
  const file = await open(path, 'r+')
  let size: number
  try {
    size = (await file.stat()).size
    if (!isCompressed) {
      size = await endOfLastLine(file, size)
      await file.truncate(size)
    }
  } finally {
    await file.close()
  }
  if (size === 0) await rm(path, { force: true })
}

const STEP_BYTES = 64 * 1024
const NEWLINE = 0x0a

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(STEP_BYTES)
  for (let end = size; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES)
    const { bytesRead } = await file.read(buffer, 0, end - start, start)
    const found = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (found >= 0) return start + found + 1
  }
  return 0
}
