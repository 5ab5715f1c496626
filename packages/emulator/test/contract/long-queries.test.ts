import { describe, expect, it } from 'vitest'
import { QUERY } from './wire.ts'
import { useWire } from './use-wire.ts'

const wire = useWire({ throttle: false, ranges: 1 })
const MIXED = '(SELECT VALUE COUNT(1) FROM a IN c.l JOIN b IN c.l WHERE a > b)'

/** A container with an item whose array has many elements; returns the path of its items. */
async function fill(): Promise<string> {
  const docs = `${await wire.container()}/docs`
  const body = { id: 'long', pk: 'k', few: [1, 2], l: Array.from({ length: 450 }, (_, n) => n) }
  expect((await wire.call('POST', docs, { key: ['k'], body })).status).toBe(201)
  return docs
}

describe('while a query takes long', () => {
  it.each([
    `SELECT VALUE ${MIXED} FROM c`,
    `SELECT * FROM c WHERE ${MIXED} > 1`,
    `SELECT VALUE ${MIXED} FROM c ORDER BY c.id`,
    `SELECT VALUE t FROM c JOIN t IN c.few WHERE ${MIXED} > t`,
    'SELECT VALUE COUNT(1) FROM c JOIN a IN c.l JOIN b IN c.l'
  ])('writes are answered before it: %s', async (query) => {
    const docs = await fill()
    const state = { isAnswered: false }
    const asked = wire
      .call('POST', docs, { key: ['k'], body: { query }, headers: QUERY })
      .finally(() => (state.isAnswered = true))
    let writes = 0
    while (!state.isAnswered) {
      const { status } = await wire.call('POST', docs, { key: ['k'], body: { id: `w${writes}`, pk: 'k', l: [] } })
      expect(status).toBe(201)
      writes += 1
    }

    expect((await asked).status).toBe(200)
    expect(writes).toBeGreaterThan(2)
  })

  it('an item that is replaced or deleted in the meantime does not disturb it', async () => {
    const docs = await fill()
    const query = `SELECT c.id, ${MIXED} AS n FROM c WHERE ${MIXED} > 1`
    const asked = wire.call('POST', docs, { key: ['k'], body: { query }, headers: QUERY })
    await wire.call('PUT', `${docs}/long`, { key: ['k'], body: { id: 'long', pk: 'k' } })
    await wire.call('DELETE', `${docs}/long`, { key: ['k'] })
    const { status, body } = await asked

    expect(status).toBe(200)
    for (const row of body.Documents as object[]) expect(row).toEqual({ id: 'long', n: (450 * 449) / 2 })
  })
})
