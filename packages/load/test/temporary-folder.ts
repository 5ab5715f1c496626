import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** Creates a folder for the tests of one file, which is empty at the start of each test. */
export function useTemporaryFolder(): (name: string) => string {
  let folder: string | undefined
  afterEach(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    folder = undefined
  })
  return (name) => {
    folder ??= mkdtempSync(join(tmpdir(), 'keystamp-'))
    return join(folder, name)
  }
}
