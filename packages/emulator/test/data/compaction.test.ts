import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openDataFolder } from '../../src/data/open-folder.ts'
import { Account } from '../../src/store/account.ts'
import { createOrders, describeAccount, putItem } from './filled-folder.ts'

const ITEMS = 1500
const ITEM_BYTES = 2000

it('a run that updates all items ten times stays within three times the size of the documents', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-compaction-'))
  const account = new Account()
  const data = await openDataFolder({ path: folder, isSync: false }, account)
  const orders = createOrders(account)
  let largest = 0
  for (let n = 0; n < ITEMS * 11; n++) {
    putItem(orders, `key ${(n * (n < ITEMS ? 1 : 7919)) % ITEMS}`, 'item', { n, size: ITEM_BYTES })
    if (n % 20 === 0) {
      await data.log.settle(undefined)
      await turn()
      largest = Math.max(largest, sizeOf(folder))
    }
  }
  const documents = [...account.containers()].flatMap((container) => [...container.items()])
  expect(documents).toHaveLength(ITEMS)
  const live = documents.reduce((sum, { length }) => sum + length, 0)
  expect(largest).toBeLessThan(live * 3)
  const before = describeAccount(account)
  data.close()

  const reopened = new Account()
  const again = await openDataFolder({ path: folder, isSync: false }, reopened)
  expect(describeAccount(reopened)).toBe(before)
  again.close()
  rmSync(folder, { recursive: true })
})

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    // the emulator removes files in the meantime
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return sum + (found?.size ?? 0)
  }, 0)
}
