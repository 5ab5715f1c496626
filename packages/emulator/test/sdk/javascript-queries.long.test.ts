import { type Container, CosmosClient, type Database } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitraryDocuments, arbitraryQuery, lineOf, type TestDocument } from './arbitrary-query.ts'

const ORDERS = (['ascending', 'descending'] as const).map((order) => [
  { path: '/n', order: 'ascending' as const },
  { path: '/id', order }
])

describe.each([1, 4])('@azure/cosmos over %i physical partitions', (ranges) => {
  let emulator: Emulator
  let client: CosmosClient
  let database: Database
  beforeAll(async () => {
    emulator = await startEmulator({ ranges })
    client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    ;({ database } = await client.databases.createIfNotExists({ id: 'queries' }))
  })
  afterAll(async () => {
    client.dispose()
    await emulator.stop()
  })

  let made = 0
  const containerOf = async (documents: readonly TestDocument[]): Promise<Container> => {
    const id = `c${made++}`
    const partitionKey = { paths: ['/pk'], version: 2 }
    const { container } = await database.containers.create({
      id,
      partitionKey,
      indexingPolicy: { compositeIndexes: ORDERS }
    })
    await Promise.all(documents.map((document) => container.items.create(document)))
    return container
  }

  it('gets the rows that a plain evaluation in memory has', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryDocuments,
        fc.array(arbitraryQuery, { minLength: 8, maxLength: 8 }),
        async (documents, queries) => {
          const container = await containerOf(documents)
          for (const { sql, rows, isOrdered } of queries) {
            const { resources } = await container.items.query(sql, { maxItemCount: 7 }).fetchAll()
            const lines = resources.map(lineOf)
            const expected = rows(documents).map(lineOf)

            expect({ sql, lines: isOrdered ? lines : lines.toSorted() }).toEqual({
              sql,
              lines: isOrdered ? expected : expected.toSorted()
            })
          }
        }
      ),
      { numRuns: 40 }
    )
  })
})
