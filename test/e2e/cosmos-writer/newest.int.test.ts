import { createReader, type Outcome, type Writer } from '@keystamp/cosmos'
import { beforeEach, describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()
const NEWEST = { field: '/version', markerTtl: 3600 }

function record(version: unknown, more: object = {}): Record<string, unknown> {
  return { id: 'a', pk: 'k', version, ...more }
}

function store(writer: Writer, version: unknown, more: object = {}): Promise<Outcome> {
  return writer.write({ kind: 'upsert', record: record(version, more) })
}

function storeAt(writer: Writer, topic: string, offset: number): Promise<Outcome> {
  const position = { place: { topic, partition: 0, offset } }
  return writer.write({ kind: 'upsert', record: record(1, { offset }), position })
}

function remove(writer: Writer, version: number): Promise<Outcome> {
  return writer.write({ kind: 'delete', id: 'a', key: 'k', position: { value: version } })
}

describe('a writer with `newest`', () => {
  let one: Writer
  let other: Writer

  beforeEach(async () => {
    one = await fixture.open({ newest: NEWEST })
    other = await fixture.open({ newest: NEWEST })
  })

  // checks L23
  it('never replaces a newer document, whichever writer stored it', async () => {
    expect(await store(one, 1)).toMatchObject({ kind: 'written', status: 201, isSuperseded: false })
    expect(await store(other, 3)).toMatchObject({ kind: 'written', status: 200, isSuperseded: false })
    expect(await store(one, 2)).toMatchObject({ kind: 'written', isSuperseded: true })
    expect(await fixture.read('a', 'k')).toMatchObject({ version: 3 })
    expect(one.stats().newest).toEqual({ older: 1, reads: 1, conflicts: 1 })
  })

  // checks L23
  it('leaves a marker for a deleted document, which older changes do not replace', async () => {
    await store(one, 2)
    expect(await remove(one, 3)).toMatchObject({ kind: 'written' })
    expect(await store(other, 1)).toMatchObject({ kind: 'written', isSuperseded: true })
    expect(await fixture.read('a', 'k')).toMatchObject({ _keystampDeleted: true, pk: 'k', ttl: 3600 })

    await store(other, 4)
    expect(await fixture.read('a', 'k')).not.toHaveProperty('_keystampDeleted')
  })

  it('leaves a marker even if there is no document', async () => {
    await remove(one, 3)
    await store(one, 2)
    expect(await fixture.read('a', 'k')).toMatchObject({ _keystampDeleted: true })
  })

  it('protects until the marker expires, and not longer', async () => {
    await remove(one, 3)
    fixture.emulator.clock.advance(3601 * 1000)
    await store(other, 2)
    expect(await fixture.read('a', 'k')).toMatchObject({ version: 2 })
  })

  it('is not seen by a reader of Keystamp through its markers', async () => {
    await store(one, 1)
    await one.write({ kind: 'upsert', record: { id: 'b', pk: 'k', version: 1 } })
    await remove(one, 2)
    const { endpoint, key } = fixture.emulator
    const reader = createReader({ endpoint, key, database: 'writer', container: fixture.container.id })
    try {
      expect(await reader.read({ pk: 'k', id: 'a' })).toEqual([])
      const ids: unknown[] = []
      for await (const document of reader.readAll({ pk: 'k' }, { select: ['/id'] })) ids.push(document)
      expect(ids).toEqual([{ id: 'b' }])
    } finally {
      reader.close()
    }
  })

  it.each(['applyThenDrop', 'reset'] as const)('recognizes its own write if the answer was lost (%s)', async (kind) => {
    for (const version of [1, 2]) {
      fixture.emulator.faults.inject({ on: 'bulk', count: 1, action: { kind } })
      expect(await store(one, version)).toMatchObject({ kind: 'written', isSuperseded: false })
    }
    expect(await fixture.read('a', 'k')).toMatchObject({ version: 2 })
  })

  it('reads again when another program comes in between, and keeps to the order', async () => {
    await store(one, 1)
    await fixture.container.items.upsert(record(5, { by: 'another program' }))
    expect(await store(one, 3)).toMatchObject({ isSuperseded: true })
    await store(one, 6)
    expect(await fixture.read('a', 'k')).toMatchObject({ version: 6 })
    await fixture.container.item('a', 'k').delete()
    expect(await store(one, 7)).toMatchObject({ kind: 'written', isSuperseded: false })
    expect(await fixture.read('a', 'k')).toMatchObject({ version: 7 })
  })

  it('rejects a change that is neither older nor newer, and one without a value', async () => {
    await store(one, 1, { text: 'one' })
    expect(codeOf(await store(other, 1, { text: 'other' }))).toBe('ORDER_UNKNOWN')
    expect(codeOf(await store(other, 1, { text: 'one' }))).toBe('written')
    for (const version of [undefined, null, 'soon', 2 ** 60, {}])
      expect(codeOf(await store(one, version))).toBe('ORDER_MISSING')
  })

  it('orders equal values by the offset within one partition of one topic', async () => {
    await storeAt(one, 't', 5)
    expect(await storeAt(one, 't', 4)).toMatchObject({ isSuperseded: true })
    expect(await storeAt(one, 't', 6)).toMatchObject({ isSuperseded: false })
    expect(codeOf(await storeAt(one, 'created-again', 0))).toBe('ORDER_UNKNOWN')
    expect(await fixture.read('a', 'k')).toMatchObject({ offset: 6 })
  })

  it('stores bytes as they are, with the position at the end', async () => {
    const bytes = Buffer.from('{"id":"a","pk":"k","version":1,"exact":1.50}')
    await one.write({ kind: 'upsert', bytes, position: { place: { topic: 't', partition: 0, offset: 1 } } })
    expect(await fixture.read('a', 'k')).toMatchObject({
      exact: 1.5,
      _keystampPosition: { value: 1, topic: 't', partition: 0, offset: 1 }
    })
  })

  it('accepts a record that was read from the container', async () => {
    await one.write({
      kind: 'upsert',
      record: record(1),
      position: { place: { topic: 't', partition: 0, offset: 1 } }
    })
    const stored = (await fixture.read('a', 'k'))!
    await one.write({
      kind: 'upsert',
      record: { ...stored, version: 2 },
      position: { place: { topic: 't', partition: 0, offset: 2 } }
    })
    expect(await fixture.read('a', 'k')).toMatchObject({ _keystampPosition: { value: 2, offset: 2 } })
  })

  it.each([
    ['another kind', { kind: 'create', record: record(1) }],
    ['a condition', { kind: 'upsert', record: record(1), ifMatch: '"1"' }],
    ['a record that is a marker', { kind: 'upsert', record: record(1, { _keystampDeleted: true }) }],
    ['an incomplete place', { kind: 'upsert', record: record(1), position: { place: { topic: 't' } } }]
  ])('refuses %s', async (_, operation) => {
    await expect(one.write(operation as never)).rejects.toMatchObject({ code: 'OPERATION_INVALID' })
  })
})

describe('a writer with `newest` is refused', () => {
  it.each([
    ['without a default TTL', { defaultTtl: undefined }, 'Set the default TTL of the container to -1'],
    ['with unique keys', { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] } }, 'unique keys']
  ])('for a container %s', async (_, more, sentence) => {
    fixture.container = await fixture.createContainer(more)
    await expect(fixture.open({ newest: NEWEST })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(sentence) as string
    })
  })

  it.each([
    [{ field: 'version' }, 'JSON pointer'],
    [{ ties: 'any' }, 'first, last or reject'],
    [{ markerTtl: 0 }, 'markerTtl'],
    [{ maxKnown: -1 }, 'maxKnown']
  ])('for the options %j', async (more, sentence) => {
    await expect(fixture.open({ newest: { ...NEWEST, ...more } as never })).rejects.toThrow(sentence)
  })
})
