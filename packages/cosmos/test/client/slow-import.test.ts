import { expect, it, vi } from 'vitest'
import { createMetadataClient } from '../../src/client/metadata-client.ts'
import { createSigner } from '../../src/client/signer.ts'

const IMPORT_MS = 500

vi.mock('@azure/cosmos', async (load) => {
  await new Promise((resolve) => setTimeout(resolve, IMPORT_MS))
  return load()
})

it('the time for an answer does not include the import of the SDK, which is long on a slow machine', async () => {
  const options = {
    endpoint: 'http://127.0.0.1:1/',
    key: 'a2V5',
    database: 'fleet',
    container: 'drives',
    metadataTimeoutMs: IMPORT_MS / 2
  }
  const client = createMetadataClient(options, createSigner(options, Date.now))
  const ways = { direct: async () => 'not by the SDK', bySdk: async () => 'answer' }
  expect(await client.read('reading', ways)).toBe('answer')
  client.close()
})
