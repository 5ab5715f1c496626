import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWriter, type Outcome, type Writer } from '../../src/index.ts'

describe('a fence', () => {
  let emulator: Emulator
  let writer: Writer
  let isOpen: boolean

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off' })
    await post('dbs', { id: 'db' })
    await post('dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
    isOpen = false
    writer = await createWriter({
      endpoint: emulator.endpoint,
      key: emulator.key,
      database: 'db',
      container: 'c',
      maySend: () => isOpen
    })
  })

  afterEach(async () => {
    await writer.close(0)
    await emulator.stop()
  })

  // checks L5
  it('withdraws only the operations that were not sent when it was raised', async () => {
    const ours = { isLost: false }
    const fenced = submit({ id: 'a', pk: '1', from: 'ours' }, ours)
    const free = submit({ id: 'b', pk: '1', from: 'others' })

    ours.isLost = true
    isOpen = true

    expect(await fenced).toMatchObject({ code: 'WRITE_FENCED' })
    expect(await free).toMatchObject({ kind: 'written' })
    expect(applied()).toEqual(['b'])
  })

  // checks L2
  it('withdraws a newer write of a document, and the older write that it had superseded is sent', async () => {
    const ours = { isLost: false }
    const older = submit({ id: 'a', pk: '1', from: 'others' })
    const newer = submit({ id: 'a', pk: '1', from: 'ours' }, ours)

    ours.isLost = true
    isOpen = true

    expect(await newer).toMatchObject({ code: 'WRITE_FENCED' })
    expect(await older).toMatchObject({ kind: 'written' })
    expect(applied()).toEqual(['a'])
  })

  // checks L5
  it('withdraws an atomic batch as a whole', async () => {
    const ours = { isLost: true }
    isOpen = true
    const operations = ['a', 'b'].map((id) => ({ kind: 'upsert', record: { id, pk: '1' } }) as const)

    await expect(writer.writeAtomic(operations, ours)).rejects.toMatchObject({ code: 'WRITE_FENCED' })

    expect(await submit({ id: 'a', pk: '1' })).toMatchObject({ kind: 'written' })
    expect(applied()).toEqual(['a'])
  })

  it('is not needed for operations that wait until `maySend` returns true', async () => {
    const held = submit({ id: 'a', pk: '1' })
    await new Promise((resolve) => {
      setTimeout(resolve, 60)
    })
    expect(applied()).toEqual([])

    isOpen = true

    expect(await held).toMatchObject({ kind: 'written' })
  })

  function submit(record: object, fence?: { readonly isLost: boolean }): Promise<Outcome | Error> {
    return new Promise((resolve) => {
      writer.submit({ kind: 'upsert', record }, resolve, fence)
    })
  }

  function applied(): readonly string[] {
    return emulator.operations().map(({ id }) => id)
  }

  async function post(path: string, body: object): Promise<void> {
    const headers = { 'x-ms-version': '2020-07-15', authorization: 'none' }
    await fetch(`${emulator.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
})
