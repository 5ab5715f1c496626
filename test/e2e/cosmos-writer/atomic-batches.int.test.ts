import { describe, expect, it } from 'vitest'
import { codeOf, usePlace } from './use-place.ts'

const place = usePlace()

describe('atomic batches', () => {
  it('are applied as a whole, in order with what was written before and after', async () => {
    const writer = await place.open()
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
    expect(await place.read('a', 'k')).toMatchObject({ n: 2 })
    expect(await place.read('b', 'k')).toMatchObject({ n: 3 })
  })

  it('reject all when one fails, and report which', async () => {
    const writer = await place.open()
    await writer.write({ kind: 'upsert', record: { id: 'b', pk: 'k' } })
    const outcomes = await writer.writeAtomic([
      { kind: 'create', record: { id: 'a', pk: 'k' } },
      { kind: 'create', record: { id: 'b', pk: 'k' } },
      { kind: 'create', record: { id: 'c', pk: 'k' } }
    ])

    expect(outcomes.map(codeOf)).toEqual(['BATCH_FAILED', 'ALREADY_EXISTS', 'BATCH_FAILED'])
    expect(await place.read('a', 'k')).toBeUndefined()
  })

  it('take keys with characters beyond ASCII', async () => {
    const writer = await place.open()
    const outcomes = await writer.writeAtomic([{ kind: 'create', record: { id: 'a', pk: 'Škoda 日産 😀' } }])

    expect(outcomes.map(codeOf)).toEqual(['written'])
    expect(await place.read('a', 'Škoda 日産 😀')).toBeDefined()
  })
})
