import { createReader, createWriter } from '@keystamp/cosmos'
import { expect, it } from 'vitest'
import { useContainer } from './container-fixture.ts'

const fixture = useContainer()

it('a writer and a reader accept a connection string', async () => {
  const { endpoint, key } = fixture.emulator
  const account = {
    connectionString: `AccountEndpoint=${endpoint};AccountKey=${key};`,
    database: 'writer',
    container: fixture.container.id
  }
  const writer = await createWriter(account)
  const reader = createReader(account)

  await writer.upsert({ id: '1', pk: 'x' })

  expect(await reader.read({ pk: 'x', id: '1' })).toEqual([expect.objectContaining({ id: '1' })])
  reader.close()
  await writer.close()
})
