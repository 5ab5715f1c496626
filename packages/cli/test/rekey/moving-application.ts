import { access, rm, writeFile } from 'node:fs/promises'
import { CosmosClient, type Container } from '@azure/cosmos'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import type { Emulator } from '@keystamp/emulator'
import { createRandom, type Random } from '@keystamp/testkit'

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
  /** The application creates it when its last write before a freeze has ended. */
  readonly stopped?: string
}

export interface ApplicationOptions {
  readonly seed?: number
  /** Sends a failed write again until it is acknowledged. Default: notes it in `refused`. */
  readonly insists?: boolean
  /** Part of the writes that delete, by whether the application uses the new container. Default: 0.2. */
  readonly deleteShare?: (isMoved: boolean) => number
  /** Wait between two writes. */
  readonly pauseMs?: number
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
  readonly #random: Random
  readonly #options: ApplicationOptions
  #isRunning = true
  #version = 0
  #running: Promise<void> = Promise.resolve()

  constructor(
    emulator: Pick<Emulator, 'endpoint' | 'key'>,
    names: readonly [string, string],
    plan: PlanDefinition,
    files: ApplicationFiles,
    options: ApplicationOptions = {}
  ) {
    this.#options = options
    this.#random = createRandom(options.seed ?? 1)
    this.#plan = createPlan(plan)
    const { endpoint, key } = emulator
    // its timer would outlive the emulator
    this.#client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
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
    return resources.toSorted(byId)
  }

  /** Whole documents of a container, without the properties of Cosmos DB, by id. */
  async readAll(which: 'old' | 'new'): Promise<readonly object[]> {
    const { resources } = await this.#containers[which].items.readAll<Drive>().fetchAll()
    return resources.map((document) => withoutSystem(document)).toSorted(byId)
  }

  get expected(): readonly Drive[] {
    return [...this.log.values()].toSorted(byId)
  }

  /** `expected`, with the new key. */
  get expectedInNew(): readonly object[] {
    return this.expected.map((drive) => this.#stamp(drive).record)
  }

  async #run(): Promise<void> {
    const { frozen, stopped } = this.#files
    while (this.#isRunning) {
      if (await exists(frozen)) {
        if (stopped !== undefined) await writeFile(stopped, '')
        await pause(20)
        continue
      }
      if (stopped !== undefined) await rm(stopped, { force: true })
      // a hook that has found an older file has created this one before
      if (!(await exists(frozen))) await this.#write()
      if (this.#options.pauseMs !== undefined) await pause(this.#options.pauseMs)
    }
  }

  async #write(): Promise<void> {
    const random = this.#random
    const number = random.below(200)
    const id = `drive-${number}`
    const deleteShare = this.#options.deleteShare?.(await exists(this.#files.moved)) ?? 0.2
    const isDelete = this.log.has(id) && random.chance(deleteShare)
    const date = `2018-08-${10 + random.below(20)}`
    const drive: Drive = { id, deviceId: `device-${number % 7}`, date, km: ++this.#version }
    for (;;) {
      try {
        await this.#send(this.log.get(id), isDelete ? undefined : drive, id)
        if (isDelete) this.log.delete(id)
        else this.log.set(id, drive)
        return
      } catch (error) {
        if (this.#options.insists !== true) {
          this.refused.push(String(error))
          return
        }
        await pause(10)
      }
    }
  }

  /** Deletes a document, or writes it under its key in the container that is in charge. */
  async #send(before: Drive | undefined, drive: Drive | undefined, id: string): Promise<void> {
    const isMoved = await exists(this.#files.moved)
    const container = isMoved ? this.#containers.new : this.#containers.old
    const keyOf = (each: Drive): string => (isMoved ? this.#stamp(each).key : each.deviceId)
    if (before !== undefined && (drive === undefined || keyOf(before) !== keyOf(drive)))
      await container
        .item(id, keyOf(before))
        .delete()
        .catch((error: unknown) => {
          // an earlier attempt, whose answer was lost, has deleted it
          if (this.#options.insists !== true || (error as { readonly code?: unknown }).code !== 404) throw error
        })
    if (drive !== undefined) await container.items.upsert(isMoved ? this.#stamp(drive).record : drive)
  }

  #stamp(drive: Drive): { readonly record: object; readonly key: string } {
    // the plan stamps the object itself
    const stamped = this.#plan.stamp({ ...drive })
    if (!stamped.ok) throw new Error(stamped.message)
    return { record: stamped.record, key: String(stamped.values[0]) }
  }
}

const SYSTEM: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])

function withoutSystem(document: Drive): Drive {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM.has(name))) as unknown as Drive
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false
  )
}
