import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DataFolder, type DataFolderOptions, openDataFolder } from '../../src/data/open-folder.ts'
import { Account } from '../../src/store/account.ts'
import type { Container } from '../../src/store/container.ts'
import { createOrders, describeAccount, putItem } from './filled-folder.ts'

let folder: string
let nowMs: number
let warnings: string[]
let account: Account
let data: DataFolder
let orders: Container

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-failure-'))
  nowMs = Date.UTC(2026, 0, 1)
  warnings = []
  account = new Account()
})
afterEach(() => {
  data.close()
  rmSync(folder, { recursive: true })
})

async function open(options: Partial<DataFolderOptions> = {}): Promise<void> {
  const all = { path: folder, isSync: false, nowMs: () => nowMs, warn: (text: string) => warnings.push(text) }
  data = await openDataFolder({ ...all, ...options }, account)
  orders = createOrders(account)
}

/** Updates a few items with bytes that soon are more than the log may have. */
async function write(bytes: number): Promise<void> {
  for (let n = 0; n * 20_000 < bytes; n++) {
    putItem(orders, 'key', `item ${n % 5}`, { n, size: 20_000 })
    await data.log.settle(undefined)
    await turn()
  }
}

/** Writes until a condition holds. The snapshot and the removal of files need turns of the event loop. */
async function writeUntil(isDone: () => boolean): Promise<void> {
  const endsAt = performance.now() + 10_000
  while (!isDone()) {
    await write(20_000)
    if (performance.now() > endsAt) throw new Error(`Not done after 10 seconds: ${JSON.stringify(data.log.compaction)}`)
  }
}

const isWorking = (): boolean => data.log.compaction.state === 'working'
const logs = (): string[] => readdirSync(folder).filter((name) => name.startsWith('log-'))

it('a compaction that cannot begin is reported once with its reason, and again when it works', async () => {
  await open()
  expect(data.log.compaction).toEqual({ state: 'working', sinceMs: nowMs })
  mkdirSync(join(folder, 'log-2'))
  await write(3 << 20)
  const reason = `EISDIR: illegal operation on a directory, open '${join(folder, 'log-2')}'`
  const first = `The data folder ${folder} cannot be compacted: ${reason}. No data are lost, but the files grow with each change. Check the folder and its disk. The emulator tries again, and says when it works.`
  expect(warnings).toEqual([first])
  const state = { state: 'failing', reason, sinceMs: nowMs }
  expect(data.log.compaction).toEqual({ ...state, retryAtMs: nowMs + 1000 })

  nowMs += 1000
  await write(1)
  expect(warnings).toEqual([first])
  expect(data.log.compaction).toEqual({ ...state, sinceMs: nowMs - 1000, retryAtMs: nowMs + 2000 })

  rmSync(join(folder, 'log-2'), { recursive: true })
  nowMs += 2000
  await writeUntil(isWorking)
  expect(warnings.slice(1)).toEqual([
    `The compaction of the data folder ${folder} works again, after 2 failed attempts since 2026-01-01T00:00:00.000Z.`
  ])
  expect(data.log.compaction).toEqual({ state: 'working', sinceMs: nowMs })
  expect(logs()).toEqual(['log-2'])
})

it('failed attempts follow each other after 1 s, 2 s, 4 s and so on up to 5 minutes', async () => {
  await open()
  mkdirSync(join(folder, 'log-2'))
  await write(2 << 20)
  const delays: number[] = []
  for (let n = 0; n < 11; n++) {
    const { retryAtMs = 0 } = data.log.compaction
    delays.push((retryAtMs - nowMs) / 1000)
    nowMs = retryAtMs - 1
    await write(1)
    expect(data.log.compaction.retryAtMs).toBe(retryAtMs)
    nowMs = retryAtMs
    await write(1)
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  expect(warnings).toHaveLength(1)
  rmSync(join(folder, 'log-2'), { recursive: true })
})

it.skipIf(!existsSync('/dev/full'))(
  'a full disk is named, and the failed attempt leaves no unfinished snapshot',
  async () => {
    await open()
    symlinkSync('/dev/full', join(folder, 'snapshot-2.part'))
    await write(3 << 20)
    expect(warnings).toEqual([
      expect.stringContaining('the disk is full. No data are lost, but the files grow with each change. Free space')
    ])
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    nowMs += 1000
    await writeUntil(isWorking)
    expect(logs()).toEqual(['log-3'])
  }
)

it('a snapshot that cannot get its name is removed', async () => {
  await open()
  mkdirSync(join(folder, 'snapshot-2', 'x'), { recursive: true })
  await writeUntil(() => !isWorking())
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  expect(logs()).toEqual(['log-1', 'log-2'])
  rmSync(join(folder, 'snapshot-2'), { recursive: true })
})

it('files that cannot be removed are removed later, without another snapshot', async () => {
  let isReadOnly = true
  const removeFile = async (path: string): Promise<void> => {
    if (isReadOnly) throw Object.assign(new Error('EROFS'), { code: 'EROFS' })
    await rm(path)
  }
  await open({ removeFile })
  await writeUntil(() => !isWorking())
  expect(warnings).toEqual([
    expect.stringContaining('the file system is read-only. No data are lost, but the files grow with each change. Make')
  ])
  expect(logs()).toEqual(['log-1', 'log-2'])
  isReadOnly = false
  nowMs += 1000
  // one change begins the removal; more of them could begin another snapshot before the removal has ended
  await write(1)
  await expect.poll(isWorking).toBe(true)
  expect(readdirSync(folder).filter((name) => !name.startsWith('lock'))).toEqual(['log-2', 'snapshot-2'])
})

it('nothing is lost by failed compactions', async () => {
  await open()
  for (const name of ['log-2', 'snapshot-3.part']) mkdirSync(join(folder, name))
  await write(3 << 20)
  rmSync(join(folder, 'log-2'), { recursive: true })
  for (let n = 0; n < 3; n++) {
    nowMs += 300_000
    await write(1 << 20)
  }
  const before = describeAccount(account)
  data.close()
  rmSync(join(folder, 'snapshot-3.part'), { recursive: true, force: true })
  account = new Account()
  const options = { path: folder, isSync: false }
  data = await openDataFolder(options, account)
  expect(describeAccount(account)).toBe(before)
})
