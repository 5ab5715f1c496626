import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { lockFolder, lockHolder } from '../../src/journal/folder-lock.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-lock-'))
})

afterEach(() => rm(folder, { recursive: true }))

describe.skipIf(process.platform === 'win32')('a folder', () => {
  test('that is locked is refused with the number of the process', async () => {
    const unlock = await lockFolder(folder)
    expect(await lockHolder(folder)).toBe(String(process.pid))
    const error: unknown = await openFileJournal(folder).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'JOURNAL_IN_USE',
      message: `The journal ${folder} is in use by the process ${process.pid}, which runs this move. See \`keystamp rekey status --journal ${folder}\`, or stop that process first.`
    })
    unlock()
    expect(await lockHolder(folder)).toBeUndefined()
    const again = await lockFolder(folder)
    again()
    expect(await readdir(folder)).toEqual([])
  })

  test('is locked by one of many that begin at once', async () => {
    for (let round = 0; round < 5; round++) {
      const results = await Promise.allSettled(Array.from({ length: 5 }, () => lockFolder(folder)))
      const held = results.filter((result) => result.status === 'fulfilled')
      expect(held).toHaveLength(1)
      held[0].value()
    }
  })

  test('with a very long path can be locked', async () => {
    const long = join(folder, 'a'.repeat(100))
    const journal = await openFileJournal(long)
    await expect(lockFolder(long)).rejects.toMatchObject({ code: 'JOURNAL_IN_USE' })
    await journal.close()
  })

  test('keeps files of others that look like locks', async () => {
    const server = createServer().listen(join(folder, 'lock-mine'))
    await once(server, 'listening')
    const unlock = await lockFolder(folder)
    unlock()
    expect(await readdir(folder)).toEqual(['lock-mine'])
    server.close()
  })
})
