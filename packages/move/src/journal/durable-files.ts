import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The steps by which a file is replaced, each of which the process may not survive. Tests stop between them. */
export interface DurableFiles {
  readonly write: (path: string, text: string) => Promise<void>
  readonly sync: (path: string) => Promise<void>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly syncFolder: (folder: string) => Promise<void>
}

export const DURABLE_FILES: DurableFiles = {
  write: async (path, text) => {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  },
  sync: (path) => syncPath(path, 'r+'),
  rename,
  syncFolder: async (folder) => {
    // Windows has no handles of folders, and writes a rename with the file system's own log
    if (process.platform !== 'win32') await syncPath(folder, 'r')
  }
}

/** Replaces a file so that it is the old or the new one after a crash, and the new one after this resolves. */
export async function replaceDurably(path: string, text: string, files: DurableFiles = DURABLE_FILES): Promise<void> {
  const temporary = `${path}.new`
  await files.write(temporary, text)
  await files.sync(temporary)
  await files.rename(temporary, path)
  await files.syncFolder(dirname(path))
}

async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
