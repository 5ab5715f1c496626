import { CosmosClient } from '@azure/cosmos'
import { startEmulator } from '@keystamp/emulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ControlDocuments, openControlDocuments } from '../../src/client/control-documents.ts'

describe('the documents of a control container', () => {
  it('are created once, read by id, and replaced only if no other process has replaced them', async () => {
    const documents = await start()
    expect(await documents.read('a')).toBeUndefined()
    await documents.createContainer()
    await documents.createContainer()
    expect(await documents.read('a')).toBeUndefined()

    expect(await documents.put({ id: 'a', round: 1 }, undefined)).toBe(true)
    expect(await documents.put({ id: 'a', round: 9 }, undefined)).toBe(false)
    const { content, etag } = (await documents.read('a'))!
    expect(content).toMatchObject({ id: 'a', round: 1 })
    expect(await documents.put({ id: 'a', round: 2 }, etag)).toBe(true)
    expect(await documents.put({ id: 'a', round: 3 }, etag)).toBe(false)
    expect((await documents.read('a'))!.content).toMatchObject({ round: 2 })
  })

  it('cannot be stored without their container, and the message names it', async () => {
    const documents = await start()

    await expect(documents.put({ id: 'a' }, undefined)).rejects.toMatchObject({
      code: 'CONTAINER_MISSING',
      message: expect.stringContaining('storing a in db/control at')
    })
  })
})

async function start(): Promise<ControlDocuments & { readonly put: (content: object, etag?: string) => unknown }> {
  const emulator = await startEmulator()
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key })
  await client.databases.create({ id: 'db' })
  client.dispose()
  const documents = openControlDocuments({ endpoint, key, database: 'db', container: 'control' })
  onTestFinished(async () => {
    documents.close()
    await emulator.stop()
  })
  return documents as never
}
