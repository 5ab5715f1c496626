import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { refuseWriteRegions } from '../../src/containers/open-container.ts'

it('refuses a move with markers where several regions accept writes', async () => {
  let regions = [{ name: 'West Europe' }]
  const server = createServer((_request, response) => response.end(JSON.stringify({ writableLocations: regions })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const side = { endpoint, key: 'a2V5', database: 'fleet', container: 'drives', metadataBy: 'direct' } as const
  try {
    await expect(refuseWriteRegions(side, side)).resolves.toBeUndefined()

    regions = [...regions, { name: 'North Europe' }]
    await expect(refuseWriteRegions(side)).rejects.toMatchObject({
      code: 'CONTAINER_MISMATCH',
      message: expect.stringMatching(/^The account of fleet\/drives at .* has several write regions.*Leave --fence out/)
    })
  } finally {
    server.close()
  }
})
