import { CosmosClient } from '@azure/cosmos'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire({ ranges: 4 })
})
afterAll(() => wire.stop())

const EMBEDDING = { path: '/v', dataType: 'float32', dimensions: 2, distanceFunction: 'cosine' }

function definition(embedding: object, index: object | undefined, id = 'v'): Record<string, unknown> {
  return {
    id,
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    vectorEmbeddingPolicy: { vectorEmbeddings: [embedding] },
    ...(index === undefined ? {} : { indexingPolicy: { vectorIndexes: [index] } })
  }
}

describe('a container with vectors', () => {
  it.each<[string, object, object | undefined, string]>([
    ['an unknown data type', { ...EMBEDDING, dataType: 'float33' }, undefined, 'invalid DataType'],
    [
      'too many dimensions',
      { ...EMBEDDING, dimensions: 8000 },
      undefined,
      'Dimensions:8000 which is more than the maximum'
    ],
    [
      'negative dimensions',
      { ...EMBEDDING, dimensions: -1 },
      undefined,
      'The Vector Embedding Policy has Dimensions:-1'
    ],
    ['an unknown distance function', { ...EMBEDDING, distanceFunction: 'x' }, undefined, 'invalid DistanceFunction'],
    ['a path without a slash', { ...EMBEDDING, path: 'v' }, undefined, 'invalid Path'],
    ['an index without a vector', EMBEDDING, { path: '/w', type: 'flat' }, "/w not matching in Embedding's path"],
    ['an unknown type of index', EMBEDDING, { path: '/v', type: 'notFlat' }, 'Index Type::notFlat is invalid'],
    ['a flat index of 506 dimensions', { ...EMBEDDING, dimensions: 506 }, { path: '/v', type: 'flat' }, 'at most 505'],
    [
      'a quantization of no byte',
      { ...EMBEDDING, dimensions: 256 },
      { path: '/v', type: 'quantizedFlat', quantizationByteSize: 0 },
      'QuantizationByteSize value :: 0 is out of range. The allowed range is between 1 and 256.'
    ],
    [
      'a short search list',
      EMBEDDING,
      { path: '/v', type: 'diskANN', indexingSearchListSize: 5 },
      'IndexingSearchListSize value :: 5 is out of range. The allowed range is between 25 and 500.'
    ],
    [
      'an invalid shard path',
      EMBEDDING,
      { path: '/v', type: 'diskANN', vectorIndexShardKey: ['x'] },
      'invalid Shard Path: x.'
    ],
    [
      'two shard paths',
      EMBEDDING,
      { path: '/v', type: 'diskANN', vectorIndexShardKey: ['/a', '/b'] },
      '2 exceeds the maximum: 1.'
    ]
  ])('is refused with %s', async (_, embedding, index, message) => {
    const answer = await wire.call('POST', `/dbs/${wire.database}/colls`, { body: definition(embedding, index) })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  it.each(['flat', 'quantizedFlat', 'diskANN'])('keeps its policies with an index of type %s', async (type) => {
    const path = await wire.container(definition(EMBEDDING, { path: '/v', type }, `kept-${type}`))
    const { body } = await wire.call('GET', path)

    expect(body.vectorEmbeddingPolicy).toEqual({ vectorEmbeddings: [EMBEDDING] })
    expect(body.indexingPolicy.vectorIndexes).toEqual([{ path: '/v', type }])
  })

  it('may get further vectors, but none may change', async () => {
    const path = await wire.container(definition(EMBEDDING, undefined, 'fixed'))
    const replace = async (...vectorEmbeddings: object[]): Promise<number> => {
      const body = { ...definition(EMBEDDING, undefined, 'fixed'), vectorEmbeddingPolicy: { vectorEmbeddings } }
      return (await wire.call('PUT', path, { body })).status
    }

    expect(await replace({ ...EMBEDDING, dimensions: 3 })).toBe(400)
    expect(await replace()).toBe(400)
    expect(await replace(EMBEDDING, { ...EMBEDDING, path: '/w' })).toBe(200)
  })
})

describe('full text search', () => {
  it.each([
    { fullTextPolicy: { defaultLanguage: 'en-US', fullTextPaths: [{ path: '/text', language: 'en-US' }] } },
    { indexingPolicy: { fullTextIndexes: [{ path: '/text' }] } }
  ])('is refused by name in a container: %j', async (policy) => {
    const body = { ...definition(EMBEDDING, undefined, 'text'), ...policy }
    const answer = await wire.call('POST', `/dbs/${wire.database}/colls`, { body })

    expect(answer.status).toBe(501)
    expect(answer.body.message).toMatch(/fullText.*it has no full text search/)
  })
})

function similarTo(clauses: string): string {
  const isTop = clauses.startsWith('TOP')
  return `SELECT ${isTop ? clauses : ''} c.id, VectorDistance(c.v, @v) AS score FROM c ORDER BY VectorDistance(c.v, @v) ${isTop ? '' : clauses}`
}

describe('the JavaScript client', () => {
  it.each([
    ['cosine', -1],
    ['dotproduct', -1],
    ['euclidean', 1]
  ])('finds the most similar items of all ranges by %s', async (distanceFunction, sign) => {
    const path = await wire.container(
      definition({ ...EMBEDDING, distanceFunction }, undefined, `near-${distanceFunction}`)
    )
    const vectors = Array.from({ length: 60 }, (_, n) => [Math.cos(n * 7), (n % 11) / 5 - 1])
    for (const [n, v] of vectors.entries())
      await wire.call('POST', `${path}/docs`, { body: { id: `${n}`, pk: `k${n % 13}`, v }, key: [`k${n % 13}`] })
    await wire.call('POST', `${path}/docs`, { body: { id: 'none', pk: 'k0' }, key: ['k0'] })
    const client = new CosmosClient({ endpoint: wire.endpoint, key: wire.key })
    const { items } = client.database(wire.database).container(`near-${distanceFunction}`)
    const ask = async (clauses: string): Promise<{ id: string; score: number }[]> => {
      const parameters = [{ name: '@v', value: [0.6, 0.3] }]
      return (await items.query({ query: similarTo(clauses), parameters }, { maxItemCount: 4 }).fetchAll()).resources
    }
    const all = await ask('TOP 100')
    const scores = all.map(({ score }) => score)

    expect(all).toHaveLength(60)
    expect(scores).toEqual(scores.toSorted((one, other) => (one - other) * sign))
    expect((await ask('TOP 7')).map(({ score }) => score)).toEqual(scores.slice(0, 7))
    expect((await ask('OFFSET 5 LIMIT 6')).map(({ score }) => score)).toEqual(scores.slice(5, 11))
    client.dispose()
  })
})
