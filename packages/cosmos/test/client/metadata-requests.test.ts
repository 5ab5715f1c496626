import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Account, chooseRegion, openAccount } from '../../src/client/account.ts'
import { createWriter } from '../../src/index.ts'

const KEY = 'c2VjcmV0'
const ended: (() => unknown)[] = []

const askedBy = new Set<string>()
const note = (event: unknown): void => {
  const agent = String((event as { readonly request: ClientRequest }).request.getHeader('user-agent'))
  askedBy.add(agent === 'keystamp' ? 'keystamp' : 'SDK')
}

beforeEach(() => {
  askedBy.clear()
  subscribe('http.client.request.start', note)
})

afterEach(async () => {
  unsubscribe('http.client.request.start', note)
  for (const end of ended.splice(0).toReversed()) await end()
})

describe('reads of metadata', () => {
  it('of a writer do not load the SDK while the service answers', async () => {
    const { emulator, account } = await start({ throughput: 700 })

    const [definition, ranges, offer, endpoint] = await Promise.all([
      account.definition(),
      account.ranges(),
      account.offer(),
      account.writeEndpoint()
    ])

    expect({ ranges, offer, endpoint, paths: definition.partitionKey.paths }).toMatchObject({
      ranges: [{ id: '0' }, { id: '1' }],
      offer: { ruPerSecond: 700, of: 'container' },
      endpoint: emulator.endpoint,
      paths: ['/pk']
    })
    expect([...askedBy]).toEqual(['keystamp'])
  })

  it('use the SDK by default', async () => {
    const { emulator } = await start()
    const account = openAccount({ endpoint: emulator.endpoint, key: emulator.key, database: 'd', container: 'c' })
    ended.push(() => account.close())

    await account.definition()

    expect([...askedBy]).toEqual(['SDK'])
  })

  it.each([
    ['is busy', { kind: 'status', status: 503 }],
    ['is throttled', { kind: 'status', status: 429, retryAfterMs: 10 }],
    ['resets the connection', { kind: 'reset' }]
  ] as const)('are repeated by the SDK if the service %s', async (_, action) => {
    const { emulator, account } = await start()
    emulator.faults.inject({ on: 'readContainer', count: 1, action })

    expect((await account.definition()).partitionKey.paths).toEqual(['/pk'])
    expect([...askedBy]).toEqual(['keystamp', 'SDK'])
  })

  it.each([
    ['a wrong key', { key: KEY }, 'COSMOS_UNAUTHORIZED'],
    ['a container that does not exist', { container: 'x' }, 'CONTAINER_MISSING']
  ])('are not repeated for %s', async (_, options, code) => {
    const { account } = await start({}, options)

    await expect(account.definition()).rejects.toMatchObject({ code })
    expect([...askedBy]).toEqual(['keystamp'])
  })

  it('read the key of the account again after the service has refused the old key', async () => {
    let key = KEY
    const { emulator, account } = await start({}, { key: () => key })
    await expect(account.definition()).rejects.toMatchObject({ code: 'COSMOS_UNAUTHORIZED' })

    key = emulator.key

    expect((await account.definition()).partitionKey.paths).toEqual(['/pk'])
  })

  it('end when the account is closed', async () => {
    const { endpoint } = await serve(() => undefined)
    const account = openAccount({ metadataBy: 'direct', endpoint, key: KEY, database: 'd', container: 'c' })
    const read = account.definition()
    setTimeout(account.close, 20)

    await expect(read).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE' })
    expect([...askedBy]).toEqual(['keystamp'])
  })

  it('read all pages of a list of ranges', async () => {
    const { endpoint } = await serve(({ headers }, answer) => {
      const isFirst = headers['x-ms-continuation'] === undefined
      const range = isFirst
        ? { id: '0', minInclusive: '', maxExclusive: '7F' }
        : { id: '1', minInclusive: '7F', maxExclusive: 'FF' }
      answer
        .writeHead(200, isFirst ? { 'x-ms-continuation': 'next' } : {})
        .end(JSON.stringify({ PartitionKeyRanges: [range] }))
    })
    const account = openAccount({ metadataBy: 'direct', endpoint, key: KEY, database: 'd', container: 'c' })
    ended.push(account.close)

    expect((await account.ranges()).map(({ id }) => id)).toEqual(['0', '1'])
  })
})

describe('createWriter', () => {
  it('reads the container, its ranges and the regions at the same time', async () => {
    const waiting: (() => void)[] = []
    // answers only after all three requests have arrived
    const { endpoint } = await serve(({ url }, answer) => {
      waiting.push(() => answer.writeHead(200).end(JSON.stringify(METADATA[url!])))
      if (waiting.length === 3) for (const send of waiting) send()
    })

    const writer = await createWriter({
      metadataBy: 'direct',
      endpoint,
      key: KEY,
      database: 'd',
      container: 'c',
      share: 400,
      metadataTimeoutMs: 2000
    })
    await writer.close()

    expect(waiting).toHaveLength(3)
  })
})

describe('chooseRegion', () => {
  const account = {
    writableLocations: [{ name: 'West Europe', databaseAccountEndpoint: 'https://a-westeurope/' }],
    readableLocations: [
      { name: 'West Europe', databaseAccountEndpoint: 'https://a-westeurope/' },
      { name: 'North Europe', databaseAccountEndpoint: 'https://a-northeurope/' }
    ]
  }

  it.each([
    ['the first region of the account without a preference', 'read', [], 'https://a-westeurope/'],
    ['the preferred region, however it is spelled', 'read', ['northeurope'], 'https://a-northeurope/'],
    [
      'the next preferred region if the account does not have the first one',
      'read',
      ['East US', 'North Europe'],
      'https://a-northeurope/'
    ],
    ['a region that accepts writes', 'write', ['North Europe'], 'https://a-westeurope/']
  ] as const)('chooses %s', (_, purpose, preferred, endpoint) => {
    expect(chooseRegion(account, purpose, preferred)).toBe(endpoint)
  })

  it('returns undefined for an account that lists no regions', () => {
    expect(chooseRegion({}, 'write', ['West Europe'])).toBeUndefined()
  })
})

const METADATA: Readonly<Record<string, unknown>> = {
  '/': { writableLocations: [], readableLocations: [] },
  '/dbs/d/colls/c': { id: 'c', _rid: 'r', _self: 'dbs/d/colls/r/', partitionKey: { paths: ['/pk'], version: 2 } },
  '/dbs/d/colls/c/pkranges': { PartitionKeyRanges: [{ id: '0', minInclusive: '', maxExclusive: 'FF' }] }
}

async function start(
  { throughput = 400 }: { readonly throughput?: number } = {},
  options: { readonly key?: string | (() => string); readonly container?: string } = {}
): Promise<{ emulator: Emulator; account: Account }> {
  const emulator = await startEmulator({ ranges: 2, ruPerSecond: throughput, containers: ['d/c:/pk'] })
  ended.push(() => emulator.stop())
  const { endpoint, key } = emulator
  const account = openAccount({ metadataBy: 'direct', endpoint, key, database: 'd', container: 'c', ...options })
  ended.push(account.close)
  return { emulator, account }
}

async function serve(answer: RequestListener): Promise<{ endpoint: string }> {
  const server: Server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ended.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
