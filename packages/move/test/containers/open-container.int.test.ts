import type { KeyValue, StampedBytes } from '@keystamp/core'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type MoveContainerOptions,
  openMoveContainer,
  type OpenMoveContainer
} from '../../src/containers/open-container.ts'
import type { Identity } from '../../src/documents/identity.ts'
import type { MappedDocument } from '../../src/documents/document-mapper.ts'

let emulator: Emulator
let container: OpenMoveContainer

beforeEach(async () => {
  emulator = await startEmulator({ auth: 'off', ranges: 2, ruPerSecond: 20_000 })
  await post('dbs', { id: 'd' })
  await post('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
  container = await open()
})

afterEach(async () => {
  await container.close()
  await emulator.stop()
})

async function post(path: string, body: unknown): Promise<void> {
  await fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) })
}

function open(options: Partial<MoveContainerOptions> = {}): Promise<OpenMoveContainer> {
  const { endpoint, key } = emulator
  return openMoveContainer({ endpoint, key, database: 'd', container: 'c', ...options })
}

/** A document that is stored without changes. */
function mapped(id: string, pk: string, n: number): MappedDocument {
  return stored({ id, pk, n }, [pk])
}

function stored(
  document: { readonly id: string; readonly [name: string]: unknown },
  key: Identity['key']
): MappedDocument {
  const { id } = document
  const bytes = Buffer.from(JSON.stringify(document))
  const stamped: StampedBytes = {
    ok: true,
    bytes,
    start: 0,
    end: bytes.length,
    splices: [],
    values: key as readonly KeyValue[],
    id,
    version: 0
  }
  return { kind: 'mapped', identity: { key, id }, stamped }
}

/** Writes and reads documents under one key. Returns whether reads, and whether writes were throttled. */
async function throttledIn(opened: OpenMoveContainer): Promise<readonly boolean[]> {
  const names = Array.from({ length: 60 }, (_, n) => `x${n}`)
  await Promise.all(names.map((id) => opened.write({ kind: 'upsert', document: mapped(id, 'a', 1) })))
  await Promise.all([...names, ...names].map((id) => opened.read({ key: ['a'], id })))
  const { reads, writes } = opened.stats()
  return [reads.throttled > 0, writes!.throttledOperations > 0]
}

const identity = { key: ['a'], id: 'x' }

describe('a container of a move', () => {
  it('stores, reads and deletes a document', async () => {
    const written = await container.write({ kind: 'upsert', document: mapped('x', 'a', 1) })
    const found = await container.read(identity)

    expect(written).toMatchObject({ kind: 'done', etag: found!.etag, chargeRu: expect.any(Number) })
    expect(await container.write({ kind: 'delete', identity, ifMatch: found!.etag })).toMatchObject({ kind: 'done' })
    expect(await container.read(identity)).toBeUndefined()
  })

  it('answers `exists` to a create, and `missing` to a replace', async () => {
    expect(await container.write({ kind: 'replace', document: mapped('x', 'a', 1) })).toMatchObject({ kind: 'missing' })
    expect(await container.write({ kind: 'create', document: mapped('x', 'a', 1) })).toMatchObject({ kind: 'done' })
    expect(await container.write({ kind: 'create', document: mapped('x', 'a', 2) })).toMatchObject({ kind: 'exists' })
  })

  it('answers `changed` if the document has another ETag', async () => {
    await container.write({ kind: 'upsert', document: mapped('x', 'a', 1) })
    const ifMatch = '"other"'

    for (const kind of ['upsert', 'replace'] as const)
      expect(await container.write({ kind, document: mapped('x', 'a', 2), ifMatch })).toMatchObject({ kind: 'changed' })
    expect(await container.write({ kind: 'delete', identity, ifMatch })).toMatchObject({ kind: 'changed' })
    expect(emulator.operations()).toHaveLength(1)
  })

  it('answers `done` to a delete of a document that does not exist', async () => {
    expect(await container.write({ kind: 'delete', identity })).toMatchObject({ kind: 'done', etag: undefined })
    expect(await container.write({ kind: 'delete', identity, ifMatch: '"any"' })).toMatchObject({ kind: 'done' })
  })

  it('answers `rejected` with the code if Cosmos DB refuses the document', async () => {
    const answer = await container.write({ kind: 'upsert', document: mapped('x'.repeat(2000), 'a', 1) })

    expect(answer).toMatchObject({ kind: 'rejected', code: expect.any(String), message: expect.any(String) })
  })

  it.each([
    ['a key', 'c', ['/pk'], { id: 'x' }, [undefined]],
    ['a level of a hierarchical key', 'h', ['/a', '/b/c'], { id: 'x', a: 'a', b: {} }, ['a', undefined]]
  ])('stores, reads and deletes a document without %s', async (_name, id, paths, document, key) => {
    await post('dbs/d/colls', {
      id,
      partitionKey: { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 }
    })
    const opened = await open({ container: id })
    try {
      expect(await opened.write({ kind: 'upsert', document: stored(document, key) })).toMatchObject({ kind: 'done' })
      expect(await opened.read({ key, id: 'x' })).toMatchObject({ identity: { key, id: 'x' } })
      expect(await opened.read({ key: key.map((value) => value ?? null), id: 'x' })).toBeUndefined()
      expect(await opened.write({ kind: 'delete', identity: { key, id: 'x' } })).toMatchObject({ kind: 'done' })
      expect(await opened.read({ key, id: 'x' })).toBeUndefined()
    } finally {
      await opened.close()
    }
  })

  it('uses its throughput bucket for reads and for writes', async () => {
    // 100 RU/s of each physical partition
    emulator.throttle({ buckets: { 2: 1 }, metadataRuPerSecond: 0, retryAfter: { fixedMs: 50 } })
    expect(await throttledIn(container)).toEqual([false, false])
    const limited = await open({ throughputBucket: 2 })

    expect(await throttledIn(limited)).toEqual([true, true])
    await limited.close()
  })

  it('reads what it has written, from the feed and with the session token of the page', async () => {
    await container.write({ kind: 'upsert', document: mapped('x', 'a', 1) })
    for (const range of await container.feedRanges()) {
      const page = await container.readChanges({ range, mode: 'latest', from: 'beginning' })
      if (page.kind !== 'page' || page.isEnd) continue
      const { sessionToken } = page
      const [document] = page.documents
      expect(document).toMatchObject({ identity, lsn: 1 })
      expect(await container.read(identity, { sessionToken })).toMatchObject({ identity, etag: document.etag })
    }
    expect.assertions(2)
  })

  it('writes nothing into a container that was created again before the first write', async () => {
    await fetch(`${emulator.endpoint}dbs/d/colls/c`, { method: 'DELETE' })
    await post('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
    await expect(container.write({ kind: 'upsert', document: mapped('x', 'a', 1) })).rejects.toMatchObject({
      code: 'CONTAINER_RECREATED',
      message: expect.stringMatching(/^d\/c at \S+ was deleted and created again: /)
    })
    expect(emulator.operations()).toEqual([])
  })

  it('does not send a write whose fence is lost', async () => {
    const write = container.write({ kind: 'create', document: mapped('x', 'a', 1) }, { isLost: true })

    await expect(write).rejects.toMatchObject({ code: 'WRITE_FENCED' })
    expect(emulator.operations()).toEqual([])
  })

  it('stores a document again after its answer was lost, and after throttling', async () => {
    emulator.faults.inject({ on: 'bulk', count: 1, action: { kind: 'applyThenDrop' } })
    emulator.faults.inject({
      on: 'bulk',
      after: 1,
      count: 2,
      action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 }
    })

    expect(await container.write({ kind: 'create', document: mapped('x', 'a', 1) })).toMatchObject({ kind: 'done' })
    expect(emulator.operations()).toHaveLength(1)
  })
})
