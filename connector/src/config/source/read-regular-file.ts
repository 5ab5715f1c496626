import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** What a configuration, a plan, a schema or a secret may take at most. */
export const MAX_FILE_BYTES = 1_000_000

/** Reads a file that a configuration names, as text. Rejects for pipes and devices, which may never end, and for files of more than a megabyte. */
export async function readRegularFile(path: string): Promise<string> {
  // without O_NONBLOCK opening a pipe waits for a writer, and keeps the process alive meanwhile (the constant does not exist on Windows)
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = await file.stat()
    if (stat.isDirectory()) throw new Error('it is a folder, not a file')
    if (!stat.isFile()) throw new Error('it is a pipe or a device; only regular files are read')
    return await readUpTo(file, MAX_FILE_BYTES)
  } finally {
    await file.close()
  }
}

// some file systems say that a file has no bytes, and give some
async function readUpTo(file: FileHandle, maxBytes: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(maxBytes + 1)
  let length = 0
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (length > maxBytes) throw new Error(`it is larger than ${maxBytes / 1_000_000} MB`)
    if (bytesRead === 0) return bytes.toString('utf8', 0, length)
  }
}
