import type * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readEverything, send } from './plain-client.ts'

const disk = vi.hoisted(() => ({
  freeBytes: 1e12,
  failure: undefined as string | undefined,
  syncs: 0,
  syncMs: 0,
  doneSyncs: 0,
  syncFailure: undefined as string | undefined,
  failing: (code: string): Error => Object.assign(new Error(code), { code })
}))

vi.mock('node:fs', async (load) => {
  const actual = await load<typeof fs>()
  return {
    ...actual,
    statfsSync: () => ({ bavail: disk.freeBytes / 4096, bsize: 4096, blocks: 1e9 }),
    writeSync: (fd: number, bytes: Buffer, offset: number, length: number, position: number) => {
      if (disk.failure === undefined) return actual.writeSync(fd, bytes, offset, length, position)
      // a part of the bytes still fits
      if (length > 100) return actual.writeSync(fd, bytes, offset, 100, position)
      throw disk.failing(disk.failure)
    },
    fdatasync: (fd: number, done: (error: Error | null) => void) => {
      disk.syncs += 1
      setTimeout(() => {
        disk.doneSyncs += 1
        if (disk.syncFailure === undefined) actual.fdatasync(fd, done)
        else done(disk.failing(disk.syncFailure))
      }, disk.syncMs)
    }
  }
})

let folder: string
let emulator: Emulator

beforeEach(async () => {
  Object.assign(disk, {
    freeBytes: 1e12,
    failure: undefined,
    syncs: 0,
    syncMs: 0,
    doneSyncs: 0,
    syncFailure: undefined
  })
  folder = mkdtempSync(join(tmpdir(), 'keystamp-full-'))
})
afterEach(async () => {
  disk.failure = undefined
  await emulator.stop()
  rmSync(folder, { recursive: true })
})

async function start(options: { sync?: boolean } = {}): Promise<void> {
  emulator = await startEmulator({ auth: 'off', data: folder, ...options })
}

async function createContainer(): Promise<void> {
  await send(emulator.endpoint, 'POST', '/dbs', { body: { id: 'shop' } })
  const body = { id: 'orders', partitionKey: { paths: ['/pk'] } }
  await send(emulator.endpoint, 'POST', '/dbs/shop/colls', { body })
}

const write = (id: string): ReturnType<typeof send> =>
  send(emulator.endpoint, 'POST', '/dbs/shop/colls/orders/docs', {
    key: ['a'],
    body: { id, pk: 'a', text: 'x'.repeat(2000) }
  })
const read = (id: string): ReturnType<typeof send> =>
  send(emulator.endpoint, 'GET', `/dbs/shop/colls/orders/docs/${id}`, { key: ['a'] })

it('writes are refused with 503 and a sentence while the disk has too little space, and reads are served', async () => {
  await start()
  await createContainer()
  await write('1')
  disk.freeBytes = 10 << 20
  await expect.poll(async () => (await write('2')).status).toBe(503)
  const refused = await write('3')
  expect(refused.body.message).toContain(
    `The disk of the data folder ${folder} is full: 10 MB are free, and the emulator keeps 32 MB free. It refuses writes until there is more space.`
  )
  const offer = (await send(emulator.endpoint, 'GET', '/offers')).body.Offers[0]
  const others = [
    send(emulator.endpoint, 'DELETE', '/dbs/shop'),
    send(emulator.endpoint, 'POST', '/dbs/shop/colls', { body: { id: 'c', partitionKey: { paths: ['/pk'] } } }),
    send(emulator.endpoint, 'PUT', `/${offer['_self']}`, { body: offer })
  ]
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([503, 503, 503])
  expect((await read('1')).status).toBe(200)
  expect((await read('3')).status).toBe(404)

  disk.freeBytes = 1e12
  await expect.poll(async () => (await write('4')).status).toBe(201)
})

// checks L16
it('no request is answered while a change cannot be written, and nothing is lost once it can', async () => {
  await start()
  await createContainer()
  await write('1')
  disk.failure = 'ENOSPC'
  const refused = await write('2')
  expect([refused.status, refused.body.message]).toEqual([
    503,
    expect.stringContaining(
      `cannot be written: the disk is full. The emulator refuses requests until it can write again.`
    )
  ])
  // the refused write is in memory, but a read must not tell of it
  expect((await read('2')).status).toBe(503)
  expect((await write('not applied')).status).toBe(503)
  expect((await send(emulator.endpoint, 'GET', '/_control/report')).status).toBe(503)

  disk.failure = undefined
  await expect.poll(async () => (await read('1')).status).toBe(200)
  expect((await read('not applied')).status).toBe(404)
  expect((await write('3')).status).toBe(201)
  const before = await readEverything(emulator.endpoint)
  await emulator.stop()
  await start()
  expect(await readEverything(emulator.endpoint)).toEqual(before)
})

it('an emulator that is stopped while a change cannot be written keeps the changes before', async () => {
  await start()
  await createContainer()
  await write('1')
  disk.failure = 'ENOSPC'
  await write('2')
  await emulator.stop()
  disk.failure = undefined
  await start()
  expect((await read('1')).status).toBe(200)
  expect((await read('2')).status).toBe(404)
  expect(emulator.notices[0]).toContain('ended within an entry')
})

// checks L16
it('with `sync` answers wait for the disk, and changes that arrive meanwhile share one wait', async () => {
  await start({ sync: true })
  await createContainer()
  disk.syncMs = 100
  disk.syncs = 0
  disk.doneSyncs = 0
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const { status } = await write(String(i))
      return [status, disk.doneSyncs > 0]
    })
  )
  expect(answers).toEqual(answers.map(() => [201, true]))
  expect(disk.syncs).toBeLessThan(15)
})

it('with `sync` a read waits for the change that it returns', async () => {
  await start({ sync: true })
  await createContainer()
  disk.syncMs = 300
  disk.doneSyncs = 0
  const written = write('1')
  await expect.poll(() => disk.syncs).toBeGreaterThan(1)
  expect((await read('1')).status).toBe(200)
  expect(disk.doneSyncs).toBeGreaterThan(0)
  await written
})

// checks L16
it('a failed sync ends all answers, since the system may have dropped the bytes', async () => {
  await start({ sync: true })
  await createContainer()
  disk.syncFailure = 'EIO'
  expect((await write('1')).status).toBe(503)
  disk.syncFailure = undefined
  // a change without a request, which is written
  emulator.clock.advance(1)
  await delay(150)
  expect((await write('2')).status).toBe(503)
  expect((await read('1')).status).toBe(503)
})

it('`sync` without `data` is refused', async () => {
  await expect(startEmulator({ sync: true })).rejects.toThrow(
    "The option 'sync' needs the option 'data', which names the folder."
  )
  await start()
})
