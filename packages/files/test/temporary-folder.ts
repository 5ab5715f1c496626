import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'

/** A folder for the tests of one file; each test finds it empty. */
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
