import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CosmosClient, type Database } from '@azure/cosmos'
import type { PlanDefinition } from '@keystamp/core'
import type { Emulator } from '@keystamp/emulator'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))

/** Length of a lease in the tests. */
const LEASE_MS = 5000

export interface LeaseWorkersOptions {
  readonly emulator: Pick<Emulator, 'endpoint' | 'key'>
  /** Path of a file in the folder of the test. */
  readonly path: (name: string) => string
  readonly plan: PlanDefinition
  /** Whether the processes have the option `--fence`. */
  readonly isFenced?: boolean
  /** Files by which the hooks tell the application what to do. */
  readonly files: { readonly frozen: string; readonly moved: string }
}

/** Processes of `keystamp rekey --workers lease` that share the move from `fleet/drives` to `fleet/drives-2`. */
export class LeaseWorkers {
  readonly #options: LeaseWorkersOptions
  readonly #children: ChildProcess[] = []

  constructor(options: LeaseWorkersOptions) {
    this.#options = options
    writeFileSync(options.path('plan.json'), JSON.stringify(options.plan))
  }

  /** Starts a process, whose journal has its name. `shareTo`: value of `--share-to`. */
  start(name: string, { shareTo = '50%' }: { readonly shareTo?: string } = {}): ChildProcess {
    const { path, emulator, files, isFenced = false } = this.#options
    const { endpoint } = emulator
    const child = spawn(
      process.execPath,
      [
        ...[COMMAND, 'rekey'],
        ...['--from', `${endpoint}fleet/drives`, '--to', `${endpoint}fleet/drives-2`, '--plan', path('plan.json')],
        ...['--workers', 'lease', '--leases', `${endpoint}fleet/leases`, '--lease-length', `${LEASE_MS / 1000}s`],
        ...['--journal', path(name), '--share-from', '50%', '--share-to', shareTo, '--yes', '--quiet'],
        ...(isFenced ? ['--fence'] : []),
        ...['--before', `touch ${files.frozen}`, '--canceled', `rm -f ${files.frozen}`],
        ...['--after', `touch ${files.moved}; rm ${files.frozen}`]
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] }
    )
    this.#children.push(child)
    return child
  }

  /** Number of ranges that a process copies; undefined before its first status. */
  ranges(name: string): unknown {
    return this.statusOf(name)?.['ownRanges']
  }

  /** Last status of a process. */
  statusOf(name: string): Readonly<Record<string, unknown>> | undefined {
    try {
      return JSON.parse(readFileSync(`${this.#options.path(name)}/status.json`, 'utf8')) as Record<string, unknown>
    } catch {
      return undefined
    }
  }

  /** Kills all processes. */
  stop(): void {
    for (const child of this.#children.splice(0)) child.kill('SIGKILL')
  }
}

/** Creates both containers of the move, and the container of the leases. */
export async function createMoveContainers({ endpoint, key }: Pick<Emulator, 'endpoint' | 'key'>): Promise<void> {
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  const { database } = await client.databases.createIfNotExists({ id: 'fleet' })
  const policy = { changeFeedPolicy: { retentionDuration: 60 } }
  await create(database, 'drives', '/deviceId', policy)
  await create(database, 'drives-2', '/partitionKey', policy)
  await create(database, 'leases', '/id')
  client.dispose()
}

async function create(database: Database, id: string, path: string, definition: object = {}): Promise<void> {
  const partitionKey = { paths: [path], version: 2, kind: 'Hash' } as never
  await database.containers.create({ id, partitionKey, ...definition }, { offerThroughput: 40_000 })
}
