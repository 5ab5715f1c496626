import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DataFolder, type DataFolderOptions, openDataFolder } from '../../src/data/open-folder.ts'
import { Account } from '../../src/store/account.ts'
import type { Container } from '../../src/store/container.ts'
import { createOrders, describeAccount, putItem } from './filled-folder.ts'

const ITEMS = 1500
const ITEM_BYTES = 2000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-compaction-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a run that updates all items ten times stays within three times the size of the documents', async () => {
  const account = new Account()
  const data = await open(account)
  const { largest, live } = await updateTenTimes(data, createOrders(account))
  expect(largest).toBeLessThan(live * 3)
  const before = describeAccount(account)
  data.close()

  const reopened = new Account()
  const again = await open(reopened)
  expect(describeAccount(reopened)).toBe(before)
  again.close()
})

it('files that take long to remove do not take the folder beyond three times the size of the documents', async () => {
  let removed = 0
  const removeFile = async (path: string): Promise<void> => {
    await delay(30)
    await rm(path)
    removed += 1
  }
  const account = new Account()
  const data = await open(account, { removeFile })
  const { largest, live } = await updateTenTimes(data, createOrders(account))
  expect(removed).toBeGreaterThan(4)
  expect(largest).toBeLessThan(live * 3)
  data.close()
})

function open(account: Account, options: Partial<DataFolderOptions> = {}): Promise<DataFolder> {
  return openDataFolder({ path: folder, isSync: false, ...options }, account)
}

/** Updates all items ten times; returns the largest size of the folder, and the size of the documents. */
async function updateTenTimes(data: DataFolder, orders: Container): Promise<{ largest: number; live: number }> {
  let largest = 0
  for (let n = 0; n < ITEMS * 11; n++) {
    putItem(orders, `key ${(n * (n < ITEMS ? 1 : 7919)) % ITEMS}`, 'item', { n, size: ITEM_BYTES })
    if (n % 20 === 0) {
      await data.log.settle(undefined)
      await turn()
      largest = Math.max(largest, sizeOf(folder))
    }
  }
  const documents = [...orders.items()]
  expect(documents).toHaveLength(ITEMS)
  return { largest, live: documents.reduce((sum, { length }) => sum + length, 0) }
}

function sizeOf(path: string): number {
  return readdirSync(path).reduce((sum, name) => {
    // the emulator removes files in the meantime
    const found = statSync(join(path, name), { throwIfNoEntry: false })
    return sum + (found?.size ?? 0)
  }, 0)
}
