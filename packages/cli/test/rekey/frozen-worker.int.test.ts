import { CosmosClient, type Container } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useTemporaryFolder } from '../temporary-folder.ts'
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

async function countOf(container: Container): Promise<number> {
  const { resources } = await container.items.query<number>('SELECT VALUE COUNT(1) FROM c').fetchAll()
  return resources[0]
}
