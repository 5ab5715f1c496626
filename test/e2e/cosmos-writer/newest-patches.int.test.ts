import type { Operation, Outcome, Writer } from '@keystamp/cosmos'
import { beforeEach, describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()
const NEWEST = { markerTtl: 3600 }

function at(offset: number, more: object = {}): { readonly position: NonNullable<Operation['position']> } {
  return { position: { place: { topic: 't', partition: 0, offset }, ...more } }
}

function document(id: string, offset: number, more: object = {}): Operation {
  return { kind: 'upsert', record: { id, pk: 'k', ...more }, ...at(offset) }
}

function removal(id: string, offset: number): Operation {
  return { kind: 'delete', id, key: 'k', ...at(offset) }
}

function addition(id: string, offset: number, value = 1): Operation {
  return { kind: 'patch', id, key: 'k', steps: [{ op: 'incr', path: '/sum', value }], ...at(offset) }
}

function patch(writer: Writer, offset: number, value: number | string): Promise<Outcome> {
  return writer.write({ ...addition('a', offset), ...at(offset, { value }) })
}

function codesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map((outcome) =>
    outcome.kind === 'written' && outcome.isSuperseded ? 'superseded' : codeOf(outcome)
  )
}

let one: Writer
let other: Writer

beforeEach(async () => {
  one = await fixture.open({ newest: NEWEST })
  other = await fixture.open({ newest: NEWEST })
})

describe('a patch of a writer with `newest`', () => {
  // checks L23
  it('is applied once, whichever writer sends it, and however often', async () => {
    await one.write(document('a', 1))
    for (const writer of [one, other, one])
      for (const offset of [2, 3]) await writer.write(addition('a', offset, offset))
    expect(await fixture.read('a', 'k')).toMatchObject({ sum: 5, _keystampPosition: { topic: 't', offset: 3 } })
    expect(codesOf([await other.write(addition('a', 3))])).toEqual(['superseded'])
  })

  it.each(['applyThenDrop', 'reset'] as const)('is applied once if the answer was lost (%s)', async (kind) => {
    await one.write(document('a', 1))
    for (const [writer, offset] of [
      [one, 2],
      [other, 3]
    ] as const) {
      fixture.emulator.faults.inject({ on: 'bulk', count: 1, action: { kind } })
      expect(codeOf(await writer.write(addition('a', offset)))).toBe('written')
    }
    expect(await fixture.read('a', 'k')).toMatchObject({ sum: 2 })
  })

  it('is sent without a read, with the order as its condition', async () => {
    await one.write(document('a', 1))
    await other.write(addition('a', 2))
    expect(other.stats().newest).toEqual({ older: 0, reads: 0, conflicts: 0 })
    await one.write(addition('a', 1))
    expect(await fixture.read('a', 'k')).toMatchObject({ sum: 1 })
  })

  it('is rejected if there is no document, or only a marker', async () => {
    expect(codeOf(await one.write(addition('a', 1)))).toBe('NOT_FOUND')
    await one.write(removal('a', 2))
    for (const writer of [one, other]) expect(codeOf(await writer.write(addition('a', 3)))).toBe('NOT_FOUND')
    expect(codesOf([await other.write(addition('a', 1))])).toEqual(['superseded'])
    await one.write(document('a', 4))
    expect(codeOf(await other.write(addition('a', 5)))).toBe('written')
  })

  it('with more than ten steps is applied as a whole, and once', async () => {
    await one.write(document('a', 1))
    const steps = Array.from({ length: 23 }, (_, index) => ({
      op: 'incr' as const,
      path: `/n${index % 3}`,
      value: 1
    }))
    const long: Operation = { kind: 'patch', id: 'a', key: 'k', steps, ...at(2) }
    fixture.emulator.faults.inject({ on: 'batch', count: 1, action: { kind: 'applyThenDrop' } })
    expect(codeOf(await other.write(long))).toBe('written')
    expect(codeOf(await one.write(long))).toBe('written')
    expect(await fixture.read('a', 'k')).toMatchObject({ n0: 8, n1: 8, n2: 7, _keystampPosition: { offset: 2 } })
  })

  it.each([
    ['a number', 1, 2, 3],
    ['a time', '2026-01-01T00:00:00+02:00', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z'],
    ['a large integer', '9007199254740993', '9007199254740994', '10000000000000000000']
  ])('is ordered by a field, %s', async (_, first, second, third) => {
    const newest = { ...NEWEST, field: '/meta/version' }
    const [here, there] = [await fixture.open({ newest }), await fixture.open({ newest })]
    await here.write(document('a', 1, { meta: { version: first } }))
    expect(codesOf([await patch(there, 9, third), await patch(here, 10, second)])).toEqual(['written', 'superseded'])
    expect(await fixture.read('a', 'k')).toMatchObject({ sum: 1, meta: { version: third } })
    // another program has stored a document without a position
    await fixture.container.items.upsert({ id: 'a', pk: 'k', meta: { version: second }, sum: 0 })
    expect(codesOf([await patch(there, 11, third)])).toEqual(['written'])
  })

  it.each([
    ['a condition of its own', { condition: 'from c where c.n = 1' }],
    ['without a place', { position: { value: 1 } }],
    ['that makes a marker', { steps: [{ op: 'set', path: '/_keystampDeleted', value: true }] }]
  ])('is refused %s', async (_, more) => {
    const wrong = { ...addition('a', 1), ...more } as Operation
    await expect(one.write(wrong)).rejects.toMatchObject({ code: 'OPERATION_INVALID' })
  })
})

describe('an atomic batch of a writer with `newest`', () => {
  // checks L23
  it('stores its newer changes together, and keeps what is newer', async () => {
    await one.writeAtomic([document('a', 1), document('b', 5), removal('c', 5)])
    const outcomes = await other.writeAtomic([
      document('a', 2, { n: 2 }),
      document('b', 3, { n: 3 }),
      document('c', 4),
      removal('d', 2)
    ])
    expect(codesOf(outcomes)).toEqual(['written', 'superseded', 'superseded', 'written'])
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 2 })
    expect(await fixture.read('b', 'k')).not.toHaveProperty('n')
    for (const id of ['c', 'd']) expect(await fixture.read(id, 'k')).toMatchObject({ _keystampDeleted: true })
    // all of it is known by now
    const sent = (): number => other.stats().ranges.reduce((sum, { batches }) => sum + batches, 0)
    const before = sent()
    expect(codesOf(await other.writeAtomic([document('a', 1), document('b', 4)]))).toEqual(['superseded', 'superseded'])
    expect(sent()).toBe(before)
  })

  // checks L23
  it('is judged again as a whole if another write came between', async () => {
    await one.writeAtomic([document('a', 1), document('b', 1)])
    await other.write(document('b', 4, { by: 'other' }))
    await fixture.container.item('a', 'k').delete()
    const outcomes = await one.writeAtomic([document('a', 2), document('b', 3), document('c', 3)])
    expect(codesOf(outcomes)).toEqual(['written', 'superseded', 'written'])
    expect(await fixture.read('b', 'k')).toMatchObject({ by: 'other' })
    expect(await fixture.read('a', 'k')).toMatchObject({ _keystampPosition: { offset: 2 } })
  })

  it.each(['applyThenDrop', 'reset'] as const)(
    'recognizes its own changes if the answer was lost (%s)',
    async (kind) => {
      await one.write(document('a', 1))
      fixture.emulator.faults.inject({ on: 'batch', count: 1, action: { kind } })
      const outcomes = await one.writeAtomic([addition('a', 2), document('b', 2), addition('a', 3)])
      expect(outcomes.map(codeOf)).toEqual(['written', 'written', 'written'])
      expect(await fixture.read('a', 'k')).toMatchObject({ sum: 2 })
    }
  )

  it('sends one write for each document, and its later patches', async () => {
    const outcomes = await one.writeAtomic([
      document('a', 1, { n: 1 }),
      addition('a', 2),
      document('a', 3, { n: 3 }),
      addition('a', 4),
      document('a', 2, { n: 2 }),
      addition('a', 5)
    ])
    expect(codesOf(outcomes)).toEqual(['superseded', 'superseded', 'written', 'written', 'superseded', 'written'])
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 3, sum: 2, _keystampPosition: { offset: 5 } })
  })

  it('is rejected as a whole if the order of one change is unknown, or if a patch has no document', async () => {
    await one.write(document('a', 1))
    const elsewhere = { position: { place: { topic: 'other', partition: 0, offset: 9 } } }
    expect(codesOf(await one.writeAtomic([document('b', 1), { ...document('a', 2), ...elsewhere }]))).toEqual([
      'BATCH_FAILED',
      'ORDER_UNKNOWN'
    ])
    expect(codesOf(await one.writeAtomic([document('b', 1), addition('c', 2)]))).toEqual(['BATCH_FAILED', 'NOT_FOUND'])
    expect(await fixture.read('b', 'k')).toBeUndefined()
  })
})
