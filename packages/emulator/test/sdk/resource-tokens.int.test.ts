import {
  type Container,
  CosmosClient,
  type CosmosClientOptions,
  type ErrorResponse,
  PermissionMode
} from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let emulator: Emulator
let owner: CosmosClient
let container: Container
const clients: CosmosClient[] = []
beforeAll(async () => {
  emulator = await startEmulator({ ranges: 3 })
  owner = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
  const { database } = await owner.databases.create({ id: 'shop' })
  const definition = { id: 'orders', partitionKey: { paths: ['/customer'], version: 2 } }
  ;({ container } = await database.containers.create(definition))
  for (const customer of ['ada', 'bob']) await container.items.create({ id: '1', customer, total: 12 })
})
afterAll(async () => {
  owner.dispose()
  for (const client of clients) client.dispose()
  await emulator.stop()
})

/** The container, as a client with these options sees it. */
function seenWith(options: Pick<CosmosClientOptions, 'resourceTokens' | 'permissionFeed'>): Container {
  const client = new CosmosClient({ endpoint: emulator.endpoint, ...options })
  clients.push(client)
  return client.database('shop').container('orders')
}

async function permit(user: string, mode: PermissionMode, customer?: string): Promise<void> {
  const { user: created } = await container.database.users.create({ id: user })
  await created.permissions.create({
    id: 'orders',
    permissionMode: mode,
    resource: container.url,
    ...(customer === undefined ? {} : { resourcePartitionKey: [customer] })
  })
}

type PermissionFeed = NonNullable<CosmosClientOptions['permissionFeed']>

async function permissionsOf(user: string): Promise<PermissionFeed> {
  const { resources } = await container.database.user(user).permissions.readAll().fetchAll()
  return resources
}

async function tokenOf(user: string): Promise<string> {
  const [permission] = await permissionsOf(user)
  return String(Object(permission)['_token'])
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    (error: ErrorResponse) => error.code
  )

describe('@azure/cosmos with a permission feed', () => {
  it('reads and queries with the mode Read, and gets 403 when it writes', async () => {
    await permit('reader', PermissionMode.Read)
    const orders = seenWith({ permissionFeed: await permissionsOf('reader') })
    const { resources } = await orders.items.query('SELECT VALUE c.customer FROM c ORDER BY c.customer').fetchAll()

    expect((await orders.item('1', 'ada').read()).resource).toMatchObject({ total: 12 })
    expect(resources).toEqual(['ada', 'bob'])
    expect(await codeOf(orders.items.create({ id: '2', customer: 'ada' }))).toBe(403)
    expect(await codeOf(orders.item('1', 'ada').delete())).toBe(403)
    expect(await codeOf(orders.database.containers.readAll().fetchAll())).not.toBe('no error')
  })
})

describe('@azure/cosmos with resource tokens', () => {
  it('writes items of the permitted partition key, and gets 403 for other keys', async () => {
    await permit('ada', PermissionMode.All, 'ada')
    const orders = seenWith({ resourceTokens: { 'dbs/shop/colls/orders': await tokenOf('ada') } })
    const query = orders.items.query('SELECT VALUE c.id FROM c', { partitionKey: 'ada' })

    expect((await orders.items.upsert({ id: '2', customer: 'ada' })).statusCode).toBe(201)
    expect((await query.fetchAll()).resources).toEqual(['1', '2'])
    expect(await codeOf(orders.items.upsert({ id: '2', customer: 'bob' }))).toBe(403)
    expect(await codeOf(orders.item('1', 'bob').read())).toBe(403)
    expect(await codeOf(orders.items.query('SELECT * FROM c').fetchAll())).toBe(403)
  })

  it('gets 403 after the token has expired', async () => {
    await permit('late', PermissionMode.All)
    const orders = seenWith({ resourceTokens: { 'dbs/shop/colls/orders': await tokenOf('late') } })
    const before = (await orders.item('1', 'ada').read()).statusCode
    emulator.clock.advance(3_600_000)

    expect(before).toBe(200)
    expect(await codeOf(orders.item('1', 'ada').read())).toBe(403)
  })
})
