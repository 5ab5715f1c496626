import { mkdtempSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lockFolder } from '../../src/data/folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a folder in use is refused with the id of the process', async () => {
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(
    `The data folder ${folder} is in use by the process ${process.pid}. Stop that emulator, or name another folder.`
  )
  unlock()
  const again = await lockFolder(folder)
  again()
  expect(readdirSync(folder)).toEqual([])
})

it('of several processes that want a folder at the same time exactly one gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => lockFolder(folder)))
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const outcome of won) (outcome as PromiseFulfilledResult<() => void>).value()
  }
})

it('a folder with a long path can be locked', async () => {
  const long = join(folder, 'a'.repeat(100), 'b'.repeat(100))
  mkdirSync(long, { recursive: true })
  const unlock = await lockFolder(long)
  await expect(lockFolder(long)).rejects.toThrow('is in use by')
  unlock()
})

it('files of the user with similar names stay', async () => {
  for (const name of ['lock-file.txt', 'lock-1-0123abcd']) writeFileSync(join(folder, name), 'mine')
  const unlock = await lockFolder(folder)
  unlock()
  expect(readdirSync(folder).toSorted()).toEqual(['lock-1-0123abcd', 'lock-file.txt'])
})
