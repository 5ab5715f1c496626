import { access } from 'node:fs/promises'
import { CosmosClient, type Container } from '@azure/cosmos'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import type { Emulator } from '@keystamp/emulator'
import { createRandom } from '@keystamp/testkit'

/** A document of the application. */
interface Drive {
  readonly id: string
  readonly deviceId: string
  readonly date: string
  readonly km: number
}

/** Files by which the hooks of a move tell the application what to do. */
export interface ApplicationFiles {
  /** Exists while the application must not write. */
  readonly frozen: string
  /** Exists while the application must use the new container. */
  readonly moved: string
}

/**
 * An application that writes drives at random, to the container that the hooks name, and keeps a log of what Cosmos DB
 * has acknowledged.
 */
export class MovingApplication {
  /** Documents by their id. */
  readonly log: Map<string, Drive> = new Map()
  /** Writes that were not possible. */
  readonly refused: string[] = []
  readonly #client: CosmosClient
  readonly #containers: { readonly old: Container; readonly new: Container }
  readonly #files: ApplicationFiles
  readonly #plan: ReturnType<typeof createPlan>
  readonly #random = createRandom(1)
  #isRunning = true
  #version = 0
  #running: Promise<void> = Promise.resolve()

  constructor(
    emulator: Pick<Emulator, 'endpoint' | 'key'>,
    names: readonly [string, string],
    plan: PlanDefinition,
    files: ApplicationFiles
  ) {
    this.#plan = createPlan(plan)
    this.#client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    const database = this.#client.database('fleet')
    this.#containers = { old: database.container(names[0]), new: database.container(names[1]) }
    this.#files = files
  }

  /** Writes this number of documents before the move. */
  async fill(count: number): Promise<void> {
    for (let each = 0; each < count; each++) await this.#write()
  }

  /** Writes until `stop`. */
  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#running
    this.#client.dispose()
  }

  /** Documents of a container without the properties of Cosmos DB, by id. */
  async read(which: 'old' | 'new'): Promise<readonly object[]> {
    const { resources } = await this.#containers[which].items
      .query<Drive>('SELECT c.id, c.deviceId, c.date, c.km FROM c')
      .fetchAll()
    return resources.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  get expected(): readonly object[] {
    return [...this.log.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  async #run(): Promise<void> {
    while (this.#isRunning) {
      if (await exists(this.#files.frozen)) await new Promise((resolve) => setTimeout(resolve, 20))
      else await this.#write()
    }
  }

  async #write(): Promise<void> {
    const random = this.#random
    const number = random.below(200)
    const id = `drive-${number}`
    const deviceId = `device-${number % 7}`
    const isMoved = await exists(this.#files.moved)
    const container = isMoved ? this.#containers.new : this.#containers.old
    const drive: Drive = { id, deviceId, date: `2018-08-${10 + random.below(20)}`, km: ++this.#version }
    const stamped = this.#plan.stamp({ ...drive })
    if (!stamped.ok) throw new Error(stamped.message)
    try {
      if (this.log.has(id) && random.chance(0.2)) {
        await container.item(id, isMoved ? String(stamped.values[0]) : deviceId).delete()
        this.log.delete(id)
        return
      }
      await container.items.upsert(isMoved ? stamped.record : drive)
      this.log.set(id, drive)
    } catch (error) {
      this.refused.push(String(error))
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
