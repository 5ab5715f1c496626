import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

it('a compaction that fails is on standard error once and in the report, and so is its recovery', async () => {
  const child = await startChild(folder, '--container', 'shop/orders:/pk')
  const write = async (): Promise<void> => {
    const body = { id: '1', pk: 'a', text: 'x'.repeat(300_000) }
    const headers = { 'x-ms-documentdb-is-upsert': 'true' }
    await send(child.endpoint, 'POST', '/dbs/shop/colls/orders/docs', { key: ['a'], body, headers })
  }
  const compaction = async (): Promise<Record<string, unknown>> =>
    (await send(child.endpoint, 'GET', '/_control/report')).body.compaction
  expect(await compaction()).toEqual({ state: 'working', sinceMs: expect.any(Number) })
  mkdirSync(join(folder, 'log-2'))
  for (let n = 0; n < 8; n++) await write()
  const failing = await compaction()
  const reason = expect.stringContaining('illegal operation on a directory')
  expect(failing).toEqual({ state: 'failing', sinceMs: expect.any(Number), reason, retryAtMs: expect.any(Number) })
  expect(Math.abs(Date.now() - Number(failing['sinceMs']))).toBeLessThan(60_000)

  rmSync(join(folder, 'log-2'), { recursive: true })
  await expect.poll(async () => write().then(compaction)).toMatchObject({ state: 'working' })
  await expect
    .poll(() => child.errors())
    .toMatch(
      /^The data folder \S+ cannot be compacted: [^\n]+\nThe compaction of the data folder \S+ works again, [^\n]+\n$/
    )
  await child.kill()
})
