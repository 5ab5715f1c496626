import { WELL_KNOWN_KEY as EMULATOR_KEY } from '@keystamp/emulator'
import { expect, it } from 'vitest'
import { findCredentials } from '../../src/load/target.ts'

it('findCredentials returns the key of the emulator for an endpoint on this machine', async () => {
  expect(await findCredentials({ endpoint: 'http://127.0.0.1:8081/' }, {})).toEqual({ key: EMULATOR_KEY })
})

const KEY = 'c2VjcmV0'
const CONNECTION = `AccountEndpoint=https://a.example:443/;AccountKey=${KEY};`

it('findCredentials returns the key of a connection string only for the account in this connection string', async () => {
  const env = { COSMOS_CONNECTION_STRING: CONNECTION }

  expect(await findCredentials({ endpoint: 'https://a.example/' }, env)).toEqual({ key: KEY })
  expect(await findCredentials({ endpoint: 'http://127.0.0.1:8081/' }, env)).toEqual({ key: EMULATOR_KEY })
})

it('findCredentials throws an error that names both accounts if the connection string is for another account', async () => {
  const found = findCredentials({ endpoint: 'https://b.example/' }, { COSMOS_CONNECTION_STRING: CONNECTION })

  await expect(found).rejects.toThrow(
    'COSMOS_CONNECTION_STRING is for a.example, and --to names b.example. Set COSMOS_KEY'
  )
  await expect(found).rejects.not.toThrow(KEY)
})

it('findCredentials refuses a connection string in COSMOS_KEY, and names COSMOS_CONNECTION_STRING', async () => {
  const env = { COSMOS_KEY: CONNECTION }

  await expect(findCredentials({ endpoint: 'https://a.example/' }, env)).rejects.toThrow(
    'set it as COSMOS_CONNECTION_STRING'
  )
  await expect(findCredentials({ endpoint: 'https://a.example/' }, env)).rejects.not.toThrow(KEY)
})
