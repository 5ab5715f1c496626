import { Agent } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ContainerRequest, CosmosClient, PartitionKeyDefinitionVersion, PartitionKeyKind } from '@azure/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach, describe, expect, it } from 'vitest'
import { type Account, openAccount } from '../../src/client/account.ts'
import type { AccountOptions } from '../../src/client/account-options.ts'

const { V2 } = PartitionKeyDefinitionVersion

const started: { stop: () => Promise<void> }[] = []
const opened: Account[] = []

afterEach(async () => {
  for (const account of opened.splice(0)) account.close()
  await Promise.all(started.splice(0).map((emulator) => emulator.stop()))
})

describe('openAccount', () => {
  it('reads the definition of the container', async () => {
    const { account } = await start({
      container: {
        id: 'c',
        partitionKey: { paths: ['/tenant', '/user'], kind: PartitionKeyKind.MultiHash, version: V2 },
        defaultTtl: -1,
        uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }] }
      }
    })

    expect(await account.definition()).toEqual({
      rid: expect.stringMatching(/^.{8,}$/),
      partitionKey: { paths: ['/tenant', '/user'], kind: 'MultiHash', version: V2 },
      defaultTtl: -1,
      indexingPolicy: expect.objectContaining({ indexingMode: 'consistent' }),
      uniqueKeys: [['/email']]
    })
  })

  it('lists ranges from the first effective key to the last, and their parents after a split', async () => {
    const { account, emulator } = await start({ emulator: { ranges: 2 } })
    expect((await account.ranges()).map(({ id }) => id)).toEqual(['0', '1'])

    await emulator.split('d', 'c', '0')

    expect((await account.ranges()).map(({ id }) => id)).toEqual(['0', '1'])
    const ranges = await account.refreshRanges()
    expect(ranges.map(({ parents }) => parents)).toEqual([['0'], ['0'], []])
    expect(await account.ranges()).toBe(ranges)
  })

  it('detects that a container was created again', async () => {
    const { account, client } = await start()
    const { rid } = await account.definition()

    await client.database('d').container('c').delete()
    await client.database('d').containers.create({ id: 'c', partitionKey: { paths: ['/other'], version: V2 } })

    const again = await account.refresh()
    expect(again.rid).not.toBe(rid)
    expect(again.partitionKey.paths).toEqual(['/other'])
  })

  it('reads ranges with a new client after a read has failed', async () => {
    const { account, emulator } = await start()
    emulator.faults.inject({ on: 'ranges', count: 1, action: { kind: 'status', status: 400 } })

    await expect(account.ranges()).rejects.toMatchObject({ code: 'COSMOS_REFUSED' })

    expect(await account.ranges()).toHaveLength(1)
  })

  it.each([
    ['manual', { throughput: 700 }, { ruPerSecond: 700, of: 'container' }],
    ['autoscaling', { maxThroughput: 4000 }, { ruPerSecond: 4000, autoscaleMax: 4000, of: 'container' }]
  ])('reads the %s offer of a container', async (_, throughput, offer) => {
    const { account } = await start({
      container: { id: 'c', partitionKey: { paths: ['/pk'], version: V2 }, ...throughput }
    })

    expect(await account.offer()).toEqual(offer)
  })

  it('reads the offer of the database if the container has none', async () => {
    const { account } = await start({ databaseThroughput: 900 })

    expect(await account.offer()).toEqual({ ruPerSecond: 900, of: 'database' })
  })

  it('reports that the role may not read the offer', async () => {
    const { account } = await start({ emulator: { https: true, acceptAad: 'data' }, byToken: true })

    expect(await account.offer()).toEqual({ unknown: expect.stringContaining('role') })
  })

  it('reports why there is no offer in a serverless account', async () => {
    const { account, emulator } = await start()
    emulator.faults.inject({
      on: 'offers',
      action: { kind: 'status', status: 400, message: 'not supported for serverless accounts' }
    })

    expect(await account.offer()).toEqual({ unknown: expect.stringContaining('serverless') })
  })

  it('returns the endpoints for writes and reads, also after it has read the account again', async () => {
    const { account, emulator } = await start()

    expect(await account.writeEndpoint()).toBe(emulator.endpoint)
    account.refreshEndpoints()
    expect(await account.readEndpoint()).toBe(emulator.endpoint)
  })

  it.each([
    ['a wrong key', { key: 'c2VjcmV0' }, 'COSMOS_UNAUTHORIZED', /key or token/],
    ['a container that does not exist', { container: 'x' }, 'CONTAINER_MISSING', /d\/x/],
    ['an endpoint without a server', { endpoint: 'http://127.0.0.1:1/' }, 'COSMOS_UNAVAILABLE', /127\.0\.0\.1:1/]
  ])('reports an error that names the cause for %s', async (_, change, code, message) => {
    const { account } = await start({ options: change })

    await expect(account.definition()).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('limits the time to wait for a response', async () => {
    const { account, emulator } = await start({ options: { metadataTimeoutMs: 50 } })
    emulator.faults.inject({ on: 'readContainer', action: { kind: 'delay', ms: 5000 } })

    await expect(account.definition()).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE', retriable: true })
  })

  it('leaves no request that is still being retried after a timeout', async () => {
    const open = new Set<Socket>()
    let connections = 0
    // accepts connections and never answers
    const silent = createServer((socket) => {
      connections++
      open.add(socket)
      // the response is read, because an unread response does not end
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => open.delete(socket))
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    const { account } = await start({ options: { endpoint, metadataTimeoutMs: 100 } })
    await expect(account.definition()).rejects.toMatchObject({ code: 'COSMOS_UNAVAILABLE' })
    const seen = connections
    await new Promise((resolve) => setTimeout(resolve, 1500))
    silent.close()

    expect({ open: open.size, connections }).toEqual({ open: 0, connections: seen })
  })
})

interface StartOptions {
  readonly emulator?: EmulatorOptions
  readonly container?: ContainerRequest
  readonly databaseThroughput?: number
  readonly options?: Partial<AccountOptions>
  readonly byToken?: boolean
}

async function start(
  options: StartOptions = {}
): Promise<{ account: Account; emulator: Emulator; client: CosmosClient }> {
  const emulator = await startEmulator(options.emulator)
  started.push(emulator)
  const { endpoint, key, certificate } = emulator
  const agent = certificate === undefined ? {} : { agent: new Agent({ ca: certificate, keepAlive: true }) }
  const client = new CosmosClient({
    endpoint,
    key,
    ...agent,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  await client.databases.create({
    id: 'd',
    ...(options.databaseThroughput === undefined ? {} : { throughput: options.databaseThroughput })
  })
  await client
    .database('d')
    .containers.create(options.container ?? { id: 'c', partitionKey: { paths: ['/pk'], version: V2 } })
  const credential = { getToken: async () => ({ token: 'entra', expiresOnTimestamp: Date.now() + 3_600_000 }) }
  const who = options.byToken === true ? { credential } : { key }
  const account = openAccount({ endpoint, ...who, ...agent, database: 'd', container: 'c', ...options.options })
  opened.push(account)
  return { account, emulator, client }
}
