import { CosmosClient, type Container } from '@azure/cosmos'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import type { Emulator } from '@keystamp/emulator'

/** A document of the application. */
export interface Drive {
  readonly id: string
  readonly deviceId: string | number
  readonly date: string
  readonly km: number
  readonly stops: readonly object[]
  /** Seconds; -1: never. */
  readonly ttl?: number
}

/** Writes drives with the SDK into both containers of a move, again and again until Cosmos DB acknowledges. */
export class DriveWriter {
  readonly #client: CosmosClient
  readonly #containers: { readonly old: Container; readonly new: Container }
  readonly #plan: ReturnType<typeof createPlan>

  constructor(
    { endpoint, key }: Pick<Emulator, 'endpoint' | 'key'>,
    names: readonly [string, string],
    plan: PlanDefinition
  ) {
    this.#plan = createPlan(plan)
    // its timer would outlive the emulator
    this.#client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
    const database = this.#client.database('fleet')
    this.#containers = { old: database.container(names[0]), new: database.container(names[1]) }
  }

  close(): void {
    this.#client.dispose()
  }

  isSamePlace(one: Drive, other: Drive, isMoved: boolean): boolean {
    return this.#keyOf(one, isMoved) === this.#keyOf(other, isMoved)
  }

  async store(kind: 'create' | 'upsert' | 'replace', drive: Drive, isMoved: boolean): Promise<void> {
    const { items } = this.#container(isMoved)
    const body = isMoved ? this.stamp(drive).record : { ...drive }
    await insist(async (attempt) => {
      // an earlier attempt, whose answer was lost, may have created it
      if (kind === 'create' && attempt === 0) return items.create(body)
      if (kind === 'replace') return this.#item(drive, isMoved).replace({ ...body, id: drive.id })
      return items.upsert(body)
    })
  }

  async patch(before: Drive, values: object, isMoved: boolean): Promise<void> {
    const operations = Object.entries(values).map(([name, value]) => ({ op: 'set' as const, path: `/${name}`, value }))
    await insist(() => this.#item(before, isMoved).patch(operations))
  }

  async delete(drive: Drive, isMoved: boolean): Promise<void> {
    await insist(async () => {
      await this.#item(drive, isMoved)
        .delete()
        .catch((error: unknown) => {
          // it has expired, or an earlier attempt, whose answer was lost, has deleted it
          if ((error as { readonly code?: unknown }).code !== 404) throw error
        })
    })
  }

  /** Whole documents of a container, without the properties of Cosmos DB. */
  async readAll(which: 'old' | 'new'): Promise<readonly object[]> {
    const { resources } = await this.#containers[which].items.readAll<object>().fetchAll()
    return resources.map((document) =>
      Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM.has(name)))
    )
  }

  /** A drive as the application stores it in the new container. */
  stamp(drive: Drive): { readonly record: object; readonly key: string } {
    // the plan stamps the object itself
    const stamped = this.#plan.stamp({ ...drive })
    if (!stamped.ok) throw new Error(stamped.message)
    return { record: stamped.record, key: String(stamped.values[0]) }
  }

  #container(isMoved: boolean): Container {
    return isMoved ? this.#containers.new : this.#containers.old
  }

  #item(drive: Drive, isMoved: boolean): ReturnType<Container['item']> {
    return this.#container(isMoved).item(drive.id, this.#keyOf(drive, isMoved))
  }

  #keyOf(drive: Drive, isMoved: boolean): string | number {
    return isMoved ? this.stamp(drive).key : drive.deviceId
  }
}

/** Repeats a write until Cosmos DB acknowledges it. */
async function insist(write: (attempt: number) => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await write(attempt)
      return
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      // the service refuses the write itself: a mistake of this test
      if (code === 400 || (code === 404 && attempt > 20)) throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

const SYSTEM: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])
