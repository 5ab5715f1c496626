import { type Account, type ContainerDefinition, createWriter, type Writer } from '@keystamp/cosmos'
import type { VirtualClock } from './virtual-clock.ts'

type WriterDependencies = NonNullable<Parameters<typeof createWriter>[1]>
type Transport = ReturnType<WriterDependencies['createTransport']>
type Request = Parameters<Transport['send']>[0]
type OperationAnswer = Extract<Awaited<ReturnType<Transport['send']>>, { kind: 'answered' }>['operations'][number]

interface WireOperation {
  readonly operationType: string
  readonly partitionKey: string
  readonly id?: string
  readonly ifMatch?: string
  readonly resourceBody?: StoredItem
}

export type StoredItem = Readonly<Record<string, unknown>> & { readonly id: string }

const DEFINITION: ContainerDefinition = {
  rid: 'things-1',
  partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
  defaultTtl: undefined,
  uniqueKeys: []
}
const RANGES = [
  { id: '0', min: '', max: '20', parents: [] },
  { id: '1', min: '20', max: 'FF', parents: [] }
]

/**
 * A container that real writers write into, without a network. Answers are late, some are lost, and some operations
 * fail. A request that was sent is applied even if its process has died.
 */
export class SimulatedAccount {
  /** Items by key and id. */
  readonly items: Map<string, { readonly item: StoredItem; readonly etag: string }> = new Map()
  faultShare: number
  /** Called after each change. */
  onChange: () => void = () => undefined
  readonly #clock: VirtualClock
  readonly #random: () => number
  #etags = 0

  constructor(clock: VirtualClock, random: () => number, faultShare: number) {
    this.#clock = clock
    this.#random = random
    this.faultShare = faultShare
  }

  /** Opens a writer of a process. */
  openWriter(isAlive: () => boolean, maySend: () => boolean): Promise<Writer> {
    const { now, schedule } = this.#clock
    return createWriter(
      {
        endpoint: 'https://simulated',
        key: 'a2V5',
        database: 'db',
        container: 'things',
        maySend,
        maxBytes: Number.POSITIVE_INFINITY,
        retryForMs: Number.MAX_SAFE_INTEGER
      },
      {
        clock: { now, schedule, scheduleIdly: schedule },
        random: this.#random,
        openAccount: () => accountOf(),
        createTransport: () => ({ send: (request) => this.#send(request, isAlive), close: () => undefined })
      }
    )
  }

  async #send({ body, maySend }: Request, isAlive: () => boolean): ReturnType<Transport['send']> {
    if (!isAlive()) return never()
    if (!maySend()) return { kind: 'withheld' }
    const operations = JSON.parse(Buffer.from(body).toString()) as readonly WireOperation[]
    await this.#sleep()
    const fate = this.#random() < this.faultShare ? Math.floor(this.#random() * 4) : -1
    const isApplied = fate !== 0
    const answers = isApplied ? operations.map((operation) => this.#apply(operation, fate > 1 ? 0.4 : 0)) : []
    await this.#sleep()
    if (!isAlive()) return never()
    // a request without an answer was applied, or it never will be
    return fate === 0 || fate === 1
      ? { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }
      : { kind: 'answered', operations: answers }
  }

  #sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.schedule(this.#random() * 20, resolve)
    })
  }

  #apply(operation: WireOperation, faultShare: number): OperationAnswer {
    if (this.#random() >= faultShare) return this.#change(operation)
    const fate = Math.floor(this.#random() * 3)
    if (fate === 0) return { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds: 5 }
    if (fate === 1) this.#change(operation)
    return { statusCode: fate === 1 ? 503 : 449 }
  }

  #change({ operationType, partitionKey, id, ifMatch, resourceBody }: WireOperation): OperationAnswer {
    const name = partitionKey + (id ?? resourceBody!.id)
    const stored = this.items.get(name)
    if (operationType === 'Upsert') {
      const etag = `"${++this.#etags}"`
      this.items.set(name, { item: resourceBody!, etag })
      this.onChange()
      return { statusCode: stored === undefined ? 201 : 200, requestCharge: 7, eTag: etag }
    }
    if (stored === undefined) return { statusCode: 404, requestCharge: 1 }
    if (operationType === 'Read')
      return { statusCode: 200, requestCharge: 1, eTag: stored.etag, resourceBody: stored.item }
    if (ifMatch !== undefined && ifMatch !== stored.etag) return { statusCode: 412, requestCharge: 1 }
    this.items.delete(name)
    this.onChange()
    return { statusCode: 204, requestCharge: 6 }
  }
}

/** The answer for a process that has died. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}

function accountOf(): Account {
  return {
    name: 'db/things',
    database: 'db',
    container: 'things',
    resourceLink: 'dbs/db/colls/things',
    definition: () => Promise.resolve(DEFINITION),
    refresh: () => Promise.resolve(DEFINITION),
    ranges: () => Promise.resolve(RANGES),
    refreshRanges: () => Promise.resolve(RANGES),
    recentRanges: () => Promise.resolve(RANGES),
    offer: () => Promise.resolve({ unknown: 'The throughput is not simulated.' }),
    signer: () => () => Promise.resolve({}) as never,
    renewSignatures: () => undefined,
    writeEndpoint: () => Promise.resolve('https://simulated'),
    readEndpoint: () => Promise.resolve('https://simulated'),
    hasWriteRegions: () => Promise.resolve(false),
    refreshEndpoints: () => undefined,
    agent: undefined,
    close: () => undefined
  }
}
