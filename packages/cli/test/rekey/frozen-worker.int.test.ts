import { CosmosClient, type Container } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../temporary-folder.ts'
import { runCommand } from '../run-command.ts'
import { type LateRequests, startLateRequests } from './late-requests.ts'
import { createMoveContainers, LeaseWorkers } from './lease-workers.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/id' }] } as const
const DOCUMENTS = 300

describe('keystamp rekey --workers lease, stopped with SIGSTOP while it has writes to send', () => {
  const path = useTemporaryFolder()
  let workers: LeaseWorkers
  let emulator: Emulator
  let client: CosmosClient

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 2 })
    await createMoveContainers(emulator)
    const { endpoint, key } = emulator
    client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
    workers = new LeaseWorkers({
      emulator,
      path,
      plan: PLAN,
      files: { frozen: path('frozen'), moved: path('moved') }
    })
  })

  afterEach(async () => {
    workers.stop()
    client.dispose()
    await emulator.stop()
  })

  // checks L22
  it('sends none of them after another process has taken its ranges', async () => {
    const [source, target] = ['drives', 'drives-2'].map((id) => client.database('fleet').container(id))
    const names = Array.from({ length: DOCUMENTS }, (_, each) => ({ id: `drive-${each}`, deviceId: `device-${each}` }))
    for (const name of names) await source.items.create(name)
    // so slow that most writes wait in the process
    const frozen = workers.start('frozen', { shareTo: '40' })
    await expect.poll(() => countOf(target), { timeout: 60_000 }).toBeGreaterThan(3)
    frozen.kill('SIGSTOP')
    for (const { id, deviceId } of names) await source.item(id, deviceId).delete()
    expect(await countOf(target)).toBeLessThan(DOCUMENTS / 2)
    workers.start('successor')
    await expect.poll(() => workers.ranges('successor'), { timeout: 60_000 }).toBe(2)
    await expect.poll(() => countOf(target), { timeout: 60_000 }).toBe(0)

    // no comparison comes later, which would remove what should not be there
    await expect.poll(() => workers.statusOf('successor')?.['compared'], { timeout: 60_000 }).toBeTruthy()

    frozen.kill('SIGCONT')
    await expect.poll(() => workers.ranges('frozen'), { timeout: 60_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1000))

    expect(await countOf(target)).toBe(0)
  }, 180_000)
})

describe('keystamp rekey --workers lease, one of whose creates arrives after its lease', () => {
  const path = useTemporaryFolder()
  let late: LateRequests
  let workers: LeaseWorkers
  let emulator: Emulator
  let client: CosmosClient

  beforeEach(async () => {
    emulator = await startEmulator({ ranges: 2 })
    await createMoveContainers(emulator)
    late = await startLateRequests(emulator.endpoint)
    const { endpoint, key } = emulator
    client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  })

  afterEach(async () => {
    workers.stop()
    client.dispose()
    await late.stop()
    await emulator.stop()
  })

  // checks L22
  it.each([
    // the request is known to bring the document back
    { isFenced: false, stale: 1 },
    { isFenced: true, stale: 0 }
  ])(
    'brings no deleted document back with --fence only (fence: $isFenced)',
    async ({ isFenced, stale }) => {
      const [source, target] = ['drives', 'drives-2'].map((id) => client.database('fleet').container(id))
      const files = { frozen: path('frozen'), moved: path('moved') }
      const { endpoint } = late
      workers = new LeaseWorkers({ emulator: { endpoint, key: emulator.key }, path, plan: PLAN, files, isFenced })
      late.keep((url, body) => url.includes('drives-2') && body.includes('"drive-0"') && !body.includes('_keystamp'))
      for (let each = 0; each < 20; each++)
        await source.items.create({ id: `drive-${each}`, deviceId: `device-${each}`, text: 'x'.repeat(100) })
      const ended = workers.start('ended')
      await expect.poll(() => late.isKept(), { timeout: 60_000 }).toBe(true)
      ended.kill('SIGKILL')
      workers.start('successor')
      await expect.poll(() => copiesIn(target), { timeout: 60_000 }).toBe(20)
      await source.item('drive-0', 'device-0').delete()
      await expect.poll(() => copiesIn(target), { timeout: 30_000 }).toBe(19)
      // no comparison comes later, which would remove what should not be there
      await expect.poll(() => workers.statusOf('successor')?.['compared'], { timeout: 60_000 }).toBeTruthy()

      await late.deliver()

      expect(await copiesIn(target)).toBe(19 + stale)
      const verified = await runCommand([
        'verify',
        `${endpoint}fleet/drives`,
        `${endpoint}fleet/drives-2`,
        '--plan',
        path('plan.json')
      ])
      expect(verified.code).toBe(stale === 0 ? 0 : 4)
    },
    180_000
  )
})

/** Number of documents without the markers of deleted ones. */
async function copiesIn(container: Container): Promise<number> {
  const query = 'SELECT VALUE COUNT(1) FROM c WHERE NOT IS_DEFINED(c._keystampDeleted)'
  const { resources } = await container.items.query<number>(query).fetchAll()
  return resources[0]
}

async function countOf(container: Container): Promise<number> {
  const { resources } = await container.items.query<number>('SELECT VALUE COUNT(1) FROM c').fetchAll()
  return resources[0]
}
