import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES, readRegularFile } from '../../../src/config/source/read-regular-file.ts'

describe('a file that a configuration names', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('is read as text up to a megabyte', async () => {
    const path = join(folder, 'large')
    await writeFile(path, 'x'.repeat(MAX_FILE_BYTES))
    expect((await readRegularFile(path)).length).toBe(MAX_FILE_BYTES)

    await writeFile(path, 'x'.repeat(MAX_FILE_BYTES + 1))
    await expect(readRegularFile(path)).rejects.toThrow('it is larger than 1 MB')
  })

  it.skipIf(process.platform === 'win32')('is refused at once where it is a pipe without a writer', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])

    await expect(readRegularFile(path)).rejects.toThrow('it is a pipe or a device; only regular files are read')
  })

  it.skipIf(process.platform === 'win32')('is refused where it is a device', async () => {
    await expect(readRegularFile('/dev/zero')).rejects.toThrow('it is a pipe or a device')
  })

  it('is refused where it is a folder', async () => {
    await expect(readRegularFile(folder)).rejects.toThrow('it is a folder')
  })
})
