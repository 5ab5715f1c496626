import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let path: string
beforeAll(async () => {
  wire = await openWire()
  path = await wire.container()
  for (const id of ['1', '2', '3'])
    await wire.call('POST', `${path}/docs`, { body: { id, pk: 'a', n: Number(id) }, key: ['a'] })
})
afterAll(() => wire.stop())

function ask(headers: Record<string, string>): Promise<WireAnswer> {
  const body = { query: 'SELECT * FROM c WHERE c.n > 1' }
  return wire.call('POST', `${path}/docs`, { body, headers: { ...QUERY, ...headers }, key: ['a'] })
}

describe('a query page', () => {
  it('reports the items that it read and returned, if the client asks for metrics', async () => {
    const { headers } = await ask({ 'x-ms-documentdb-populatequerymetrics': 'true' })
    const metrics = headers.get('x-ms-documentdb-query-metrics') ?? ''

    expect(metrics).toMatch(/^totalExecutionTimeInMs=\d+\.\d\d;/)
    expect(metrics.split(';')).toContain('outputDocumentCount=2')
    expect(metrics.split(';')).toContain('retrievedDocumentCount=3')
  })

  it('has an index report of base64 JSON when the client asks for it', async () => {
    const { headers } = await ask({ 'x-ms-cosmos-populateindexmetrics': 'true' })
    const report = Buffer.from(headers.get('x-ms-cosmos-index-utilization') ?? '', 'base64').toString()

    expect(JSON.parse(report)).toHaveProperty('UtilizedSingleIndexes')
  })

  it('has neither metrics nor an index report unless the request asks for them', async () => {
    const { headers } = await ask({})

    expect(headers.has('x-ms-documentdb-query-metrics')).toBe(false)
    expect(headers.has('x-ms-cosmos-index-utilization')).toBe(false)
  })
})
