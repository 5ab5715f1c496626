import { describe, expect, it } from 'vitest'
import { collect, useContainers } from '../start-container.ts'
import { DATE, RANDOM, drives } from './drives.ts'

const start = useContainers()

describe('readAll when a request fails', () => {
  it.each([
    ['throttled', { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 5 }],
    ['unavailable', { kind: 'status', status: 503 }],
    ['reset', { kind: 'reset' }],
    ['answered by a proxy', { kind: 'htmlBody', status: 502 }],
    ['answered without a body', { kind: 'emptyBody', status: 500 }],
    ['refused for a signature that is too old', { kind: 'status', status: 401 }]
  ] as const)('retries a request that is %s', async (_, action) => {
    const { reader, emulator, pages } = await start({
      writtenBy: RANDOM,
      documents: drives(60),
      emulator: { ranges: 3 }
    })
    emulator.faults.inject({ on: 'query', count: 1, action })

    expect(await collect(reader.readAll({ date: DATE }))).toHaveLength(60)
    expect(pages.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual([1, 1, 2])
  })

  it('ends with an error when throttling lasts longer than `retryForMs`', async () => {
    const { reader, emulator } = await start({
      writtenBy: RANDOM,
      documents: drives(5),
      emulator: { ranges: 1 },
      reader: { retryForMs: 60 }
    })
    emulator.faults.inject({ on: 'query', action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({
      code: 'COSMOS_UNAVAILABLE',
      statusCode: 429
    })
  })

  it.each([
    ['a condition that is not SQL', 'c.km > > 5', /check `where`\. Cosmos DB says: .*[Ss]yntax/],
    ['a function that does not exist', 'NO_SUCH(c.km)', /check `where`\. Cosmos DB says: .*NO_SUCH/]
  ])('reports `where` and the reason of the service for %s, without keys', async (_, where, message) => {
    const { reader } = await start({ writtenBy: RANDOM, documents: drives(5), emulator: { ranges: 1 } })

    const error = await collect(reader.readAll({ date: DATE }, { where })).catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({
      code: 'COSMOS_REFUSED',
      statusCode: 400,
      retriable: false,
      message: expect.stringMatching(message)
    })
    expect((error as Error).message).not.toContain(DATE)
  })

  it('does not retry permanent failures', async () => {
    const { reader, emulator } = await start({ writtenBy: RANDOM, documents: drives(5), emulator: { ranges: 1 } })
    emulator.faults.inject({ on: 'query', count: 1, action: { kind: 'status', status: 400 } })

    await expect(collect(reader.readAll({ date: DATE }))).rejects.toMatchObject({
      code: 'COSMOS_REFUSED',
      statusCode: 400
    })
  })
})
