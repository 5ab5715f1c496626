import { describe, expect, it } from 'vitest'
import { toSortOrder } from '../../src/reader/merge-pages.ts'
import { createKeyQuery } from '../../src/reader/key-query.ts'

const FLAT = { levels: [['partitionKey']], id: undefined, order: undefined }
const DEEP = { ...FLAT, levels: [['tenant'], ['a', 'day']] }

describe('createKeyQuery', () => {
  it('compares the key path with one parameter if there is one key', () => {
    expect(createKeyQuery([key('a')], FLAT)).toEqual({
      query: 'SELECT * FROM c WHERE c["partitionKey"] = @k0',
      parameters: [{ name: '@k0', value: 'a' }]
    })
  })

  it('compares the key path with a list of parameters if there are several keys', () => {
    const { query, parameters } = createKeyQuery([key('a'), key(7), key(null)], FLAT)

    expect(query).toBe('SELECT * FROM c WHERE c["partitionKey"] IN (@k0, @k1, @k2)')
    expect(parameters.map(({ value }) => value)).toEqual(['a', 7, null])
  })

  it('compares common levels of hierarchical keys only once', () => {
    const { query } = createKeyQuery([key('t', '1'), key('t', '2'), key('u', '1')], DEEP)

    expect(query).toBe(
      'SELECT * FROM c WHERE (c["tenant"] = @k0 AND c["a"]["day"] IN (@k1, @k2)) OR (c["tenant"] = @k3 AND c["a"]["day"] = @k4)'
    )
  })

  it('compares only the first levels if the key is a prefix of a hierarchical key', () => {
    expect(createKeyQuery([key('t')], DEEP).query).toBe('SELECT * FROM c WHERE c["tenant"] = @k0')
  })

  it('adds a condition for the id, and an order', () => {
    const { query, parameters } = createKeyQuery([key('a')], {
      ...FLAT,
      id: 'x',
      order: toSortOrder({ field: '/b/c~1d', isDescending: true })
    })

    expect(query).toBe('SELECT * FROM c WHERE (c["partitionKey"] = @k0) AND c["id"] = @k1 ORDER BY c["b"]["c/d"] DESC')
    expect(parameters.at(-1)?.value).toBe('x')
  })

  it('never writes a value into the query text', () => {
    const { query } = createKeyQuery([key('" OR true --')], FLAT)

    expect(query).not.toContain('true')
  })
})

function key(...values: (string | number | null)[]) {
  return { key: values, values, version: 0 }
}
