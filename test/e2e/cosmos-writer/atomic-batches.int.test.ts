import { describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('atomic batches', () => {
  it('are applied as a whole, in order with the writes before and after', async () => {
    const writer = await fixture.open()
    const before = writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 1 } })
    const batch = writer.writeAtomic([
      { kind: 'replace', record: { id: 'a', pk: 'k', n: 2 } },
      { kind: 'create', record: { id: 'b', pk: 'k', n: 2 } }
    ])
    const after = writer.write({ kind: 'patch', id: 'b', key: 'k', steps: [{ op: 'incr', path: '/n', value: 1 }] })

    expect([await before, ...(await batch), await after].map(codeOf)).toEqual([
      'written',
      'written',
      'written',
      'written'
    ])
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 2 })
    expect(await fixture.read('b', 'k')).toMatchObject({ n: 3 })
  })

  it('reject all operations if one operation fails, and report which operation failed', async () => {
    const writer = await fixture.open()
    await writer.write({ kind: 'upsert', record: { id: 'b', pk: 'k' } })
    const outcomes = await writer.writeAtomic([
      { kind: 'create', record: { id: 'a', pk: 'k' } },
      { kind: 'create', record: { id: 'b', pk: 'k' } },
      { kind: 'create', record: { id: 'c', pk: 'k' } }
    ])

    expect(outcomes.map(codeOf)).toEqual(['BATCH_FAILED', 'ALREADY_EXISTS', 'BATCH_FAILED'])
    expect(await fixture.read('a', 'k')).toBeUndefined()
  })

  it('accept keys with characters beyond ASCII', async () => {
    const writer = await fixture.open()
    const outcomes = await writer.writeAtomic([{ kind: 'create', record: { id: 'a', pk: 'Škoda 日産 😀' } }])

    expect(outcomes.map(codeOf)).toEqual(['written'])
    expect(await fixture.read('a', 'Škoda 日産 😀')).toBeDefined()
  })
})
