import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startChild } from './emulator-child.ts'
import { send } from './plain-client.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keystamp-command-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a second process is refused with exit code 2 until the first one is killed', async () => {
  const first = await startChild(folder)
  await expect(startChild(folder)).rejects.toThrow(
    /^The emulator ended with code 2: The data folder \S+ is in use by the process \d+\. Stop that emulator, or name another folder\.$/
  )
  await first.kill()
  const second = await startChild(folder)
  await second.kill()
})

it('a damaged file ends the command with exit code 2 and one sentence', async () => {
  const child = await startChild(folder, '--container', 'shop/orders:/pk')
  const path = '/dbs/shop/colls/orders/docs'
  for (const id of ['1', '2']) await send(child.endpoint, 'POST', path, { key: ['a'], body: { id, pk: 'a' } })
  await child.kill()
  const log = join(folder, 'log-1')
  const bytes = readFileSync(log)
  bytes[60] ^= 4
  writeFileSync(log, bytes)
  await expect(startChild(folder)).rejects.toThrow(
    /^The emulator ended with code 2: The data file \S+log-1 is damaged at byte 20: the checksum of an entry does not match\. Restore [^\n]+$/
  )
})
