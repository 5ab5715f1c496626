import type { ContainerRange } from '../../src/client/container.ts'
import type { Answer, OperationAnswer, Request, Transport } from '../../src/client/transport.ts'
import type { VirtualClock } from '@keystamp/testkit'
import { meets, patched, type PatchStep } from './simulated-patch.ts'

/** An operation in a request. */
interface WireOperation {
  readonly operationType: string
  readonly partitionKey: string
  readonly id?: string
  readonly ifMatch?: string
  readonly resourceBody?: Record<string, unknown> & {
    readonly operations?: readonly PatchStep[]
    readonly condition?: string
  }
}

interface Stored {
  readonly document: Readonly<Record<string, unknown>>
  readonly etag: string
  /** Time from which on it is gone. */
  readonly expiresMs: number
}

/** One applied change. `mark` is the property of this name in the body. */
export interface Applied {
  readonly document: string
  readonly mark: number
  readonly operationType: string
}

export interface ServiceOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  /** Probability that a request has a fault. */
  readonly faultShare: number
  readonly rangeCount: number
  /** Reads may be answered by replicas that are behind, unless they have a session token. Default: false. */
  readonly staleReads?: boolean
  /** A request whose answer was lost may be applied up to this long after that. Default: 0, never. */
  readonly lateMs?: number
  /** Called after each applied change. */
  readonly onApplied?: () => void
}

/**
 * A small model of Cosmos DB that answers late, out of order, wrongly, or not at all. Unless
 * `lateMs` says otherwise, it never applies a change after the response to it was lost.
 */
export class SimulatedService implements Transport {
  readonly store: Map<string, Stored> = new Map()
  readonly applied: Applied[] = []
  /** Documents that were in two requests at the same time. */
  readonly collisions: string[] = []
  readonly #options: ServiceOptions
  readonly #out: Set<string> = new Set()
  readonly #locked: Set<string> = new Set()
  ranges: readonly ContainerRange[]
  faultShare: number
  /** Former versions of each document, with the LSN of the change; for reads from replicas that are behind. */
  readonly #versions: Map<string, { readonly lsn: number; readonly stored: Stored | undefined }[]> = new Map()
  #lsn = 0
  #late = 0
  #token: 'valid' | 'expired' | 'renewed' = 'valid'
  #etags = 0
  /** True while an atomic batch is applied, which may be undone. */
  #isInBatch = false
  #rangeIds: number

  constructor(options: ServiceOptions) {
    this.#options = options
    this.faultShare = options.faultShare
    this.#rangeIds = options.rangeCount
    const bounds = Array.from({ length: options.rangeCount }, (_, index) =>
      index === 0 ? '' : ((index * 0x40) / options.rangeCount).toString(16).padStart(2, '0').toUpperCase()
    )
    this.ranges = bounds.map((min, index) => ({ id: String(index), min, max: bounds[index + 1] ?? 'FF', parents: [] }))
  }

  readonly send = async (request: Request): Promise<Answer> => {
    const operations = JSON.parse(new TextDecoder().decode(request.body)) as WireOperation[]
    const documents = operations.map(documentOf)
    const own = [...new Set(documents)]
    for (const document of own) if (this.#out.has(document)) this.collisions.push(document)
    for (const document of own) this.#out.add(document)
    await this.#options.clock.sleep(this.#delay())
    const answer = this.#answer(request, operations)
    await this.#options.clock.sleep(this.#delay())
    for (const document of own) this.#out.delete(document)
    return answer
  }

  readonly close = (): void => {}

  readonly renewSignatures = (): void => {
    this.#token = 'renewed'
  }

  readonly refreshRanges = async (): Promise<readonly ContainerRange[]> => {
    await this.#options.clock.sleep(this.#delay())
    if (this.#options.random() < this.faultShare / 4) throw new Error('The list cannot be read.')
    return this.ranges
  }

  /** Writes a document again, as another program does: with the same content and another ETag. */
  touch(mayTouch: (document: Readonly<Record<string, unknown>>) => boolean): void {
    const found = [...this.store].find(([, { document }]) => mayTouch(document))
    if (found !== undefined) this.put(found[0], found[1].document)
  }

  /** Stores a document at once, as another program does. */
  put(name: string, document: Readonly<Record<string, unknown>>): void {
    this.#store(name, this.#toStored(document))
  }

  /** Removes the documents whose `ttl` is over. */
  expire(): void {
    for (const [name, { expiresMs }] of this.store)
      if (expiresMs <= this.#options.clock.now()) this.#store(name, undefined)
  }

  #toStored(document: Readonly<Record<string, unknown>>): Stored {
    const { ttl } = document
    const expiresMs = typeof ttl === 'number' ? this.#options.clock.now() + ttl * 1000 : Number.POSITIVE_INFINITY
    return { document, etag: `"${++this.#etags}"`, expiresMs }
  }

  /** Splits a range, or merges it with its neighbor. For a while, the range answers that it is moving. */
  async move(): Promise<void> {
    const { random, clock } = this.#options
    const at = Math.floor(random() * this.ranges.length)
    const range = this.ranges[at]
    const isMerge = random() < 0.4 && at + 1 < this.ranges.length
    const parents = isMerge ? [range, this.ranges[at + 1]] : [range]
    if (parents.some(({ id }) => this.#locked.has(id))) return
    for (const { id } of parents) this.#locked.add(id)
    await clock.sleep(random() * 60)
    const middle = middleOf(parents[0].min, parents.at(-1)!.max)
    const bounds = isMerge || middle === undefined ? [range.min, parents.at(-1)!.max] : [range.min, middle, range.max]
    const children = bounds.slice(1).map((max, index) => ({
      id: String(this.#rangeIds++),
      min: bounds[index],
      max,
      parents: parents.map(({ id }) => id)
    }))
    this.ranges = this.ranges.flatMap((one) => (one === parents[0] ? children : parents.includes(one) ? [] : [one]))
  }

  /** Number of lost requests that will be applied later. */
  get late(): number {
    return this.#late
  }

  #delay(): number {
    return this.#options.random() * 20
  }

  #answer(request: Request, operations: readonly WireOperation[]): Answer {
    const { random } = this.#options
    if (this.#locked.has(request.rangeId))
      return refused(410, this.ranges.some(({ id }) => id === request.rangeId) ? 1007 : 1002)
    if (this.#token === 'expired') return refused(401)
    if (random() >= this.faultShare) return this.#answered(request, operations, 0)
    const fate = Math.floor(random() * 9)
    switch (fate) {
      case 0:
        return refused(429, 3200, 1 + random() * 30)
      case 1:
        return refused(503)
      case 2:
        this.#apply(request, operations, 0)
        return refused(408)
      case 3:
        return { kind: 'unanswered', reason: 'ECONNREFUSED', isSent: false }
      case 4:
        this.#applyLater(request, operations)
        return { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }
      case 5:
        this.#apply(request, operations, 0)
        return { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }
      case 6:
        if (this.#token === 'valid') this.#token = 'expired'
        return this.#answered(request, operations, 0)
      default:
        return this.#answered(request, operations, 0.4)
    }
  }

  #answered(request: Request, operations: readonly WireOperation[], faultShare: number): Answer {
    const answers = this.#apply(request, operations, faultShare)
    const { staleReads = false } = this.#options
    return {
      kind: 'answered',
      operations: answers,
      ...(staleReads ? { sessionToken: `${request.rangeId}:-1#${this.#lsn}` } : {})
    }
  }

  /** Applies a request whose connection was lost, at some later time: the network or a proxy had kept it. */
  #applyLater(request: Request, operations: readonly WireOperation[]): void {
    const { clock, random, lateMs = 0 } = this.#options
    if (lateMs === 0 || random() < 0.5) return
    this.#late++
    clock.schedule(random() * lateMs, () => {
      this.#late--
      this.#apply(request, operations, 0)
    })
  }

  #apply(request: Request, operations: readonly WireOperation[], faultShare: number): OperationAnswer[] {
    if (request.atomicKey !== undefined) return this.#applyAtomic(operations, faultShare)
    return operations.map((operation) =>
      operation.operationType === 'Read' && this.#options.staleReads === true
        ? this.#read(documentOf(operation), request.sessionToken)
        : this.#applyOne(operation, faultShare)
    )
  }

  /** Reads from a replica that has at least the changes up to the session token. */
  #read(document: string, token: string | undefined): OperationAnswer {
    const { random } = this.#options
    const least = Math.max(token === undefined ? 0 : Number(token.split('#')[1]), this.#lsn - REPLICA_LAG)
    const lsn = least + Math.floor(random() * (this.#lsn - least + 1))
    const stored = this.#versions.get(document)?.findLast((version) => version.lsn <= lsn)?.stored
    if (stored === undefined) return { statusCode: 404, requestCharge: 1 }
    return { statusCode: 200, requestCharge: 1, resourceBody: { ...stored.document, _ts: 1 }, eTag: stored.etag }
  }

  #store(document: string, stored: Stored | undefined): void {
    if (stored === undefined) this.store.delete(document)
    else this.store.set(document, stored)
    if (this.#options.staleReads !== true) return
    const versions = this.#versions.get(document) ?? []
    this.#versions.set(document, versions)
    versions.push({ lsn: ++this.#lsn, stored })
  }

  #applyAtomic(operations: readonly WireOperation[], faultShare: number): OperationAnswer[] {
    const before = new Map(this.store)
    const versions = operations.map((operation) => this.#versions.get(documentOf(operation))?.length ?? 0)
    const count = this.applied.length
    const answers: OperationAnswer[] = []
    this.#isInBatch = true
    for (const operation of operations) {
      const answer = this.#applyOne(operation, faultShare === 0 ? 0 : 0.05, true)
      answers.push(answer)
      if (answer.statusCode >= 300) break
    }
    this.#isInBatch = false
    if (answers.at(-1)!.statusCode < 300) {
      this.#options.onApplied?.()
      return answers
    }
    this.applied.length = count
    this.store.clear()
    for (const [document, stored] of before) this.store.set(document, stored)
    for (const [index, operation] of operations.entries())
      this.#versions.get(documentOf(operation))?.splice(versions[index])
    return operations.map((_, index) => (index === answers.length - 1 ? answers[index] : { statusCode: 424 }))
  }

  #applyOne(operation: WireOperation, faultShare: number, isAtomic = false): OperationAnswer {
    const { random } = this.#options
    if (random() >= faultShare) return this.#change(operation)
    const fate = Math.floor(random() * 5)
    if (fate <= 1) return { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds: 1 + random() * 30 }
    if (fate === 2) return { statusCode: 449 }
    // an atomic batch is not applied if one of its operations fails
    if (fate === 3 && !isAtomic) this.#change(operation)
    return { statusCode: 503 }
  }

  #change(operation: WireOperation): OperationAnswer {
    const { operationType, resourceBody, ifMatch } = operation
    const document = documentOf(operation)
    const stored = this.store.get(document)
    const isMissing = stored === undefined && operationType !== 'Create' && operationType !== 'Upsert'
    if (isMissing) return { statusCode: 404, requestCharge: 1 }
    if (operationType === 'Read')
      return { statusCode: 200, requestCharge: 1, resourceBody: { ...stored!.document, _ts: 1 }, eTag: stored!.etag }
    if (operationType === 'Create' && stored !== undefined) return { statusCode: 409, requestCharge: 1 }
    if (ifMatch !== undefined && stored !== undefined && stored.etag !== ifMatch)
      return { statusCode: 412, requestCharge: 1 }
    if (resourceBody?.condition !== undefined && !meets(stored!.document, resourceBody.condition))
      return { statusCode: 412, subStatusCode: 1110, requestCharge: 1 }
    if (resourceBody?.['bad'] === true) return { statusCode: 400, requestCharge: 1 }
    const steps = resourceBody?.operations
    const mark = steps === undefined ? Number(resourceBody?.['mark'] ?? operation.ifMatch ?? -1) : steps[0].value
    this.applied.push({ document, mark, operationType })
    if (operationType === 'Delete') {
      this.#store(document, undefined)
      if (!this.#isInBatch) this.#options.onApplied?.()
      return { statusCode: 204, requestCharge: 5 }
    }
    const next = this.#toStored(steps === undefined ? resourceBody! : patched(stored!.document, steps))
    this.#store(document, next)
    if (!this.#isInBatch) this.#options.onApplied?.()
    return { statusCode: stored === undefined ? 201 : 200, requestCharge: 7, eTag: next.etag }
  }
}

/** Number of changes that a replica may be behind. */
const REPLICA_LAG = 20

function documentOf({ partitionKey, id, resourceBody }: WireOperation): string {
  return partitionKey + String(id ?? resourceBody!['id'])
}

function refused(status: number, subStatus = 0, retryAfterMs?: number): Answer {
  return { kind: 'refused', status, subStatus, retryAfterMs, chargeRu: 0, activityId: undefined }
}

function middleOf(min: string, max: string): string | undefined {
  const low = Number.parseInt(min.padEnd(4, '0'), 16)
  const high = max === 'FF' ? 0x4000 : Number.parseInt(max.padEnd(4, '0'), 16)
  return high - low < 2
    ? undefined
    : Math.floor((low + high) / 2)
        .toString(16)
        .padStart(4, '0')
        .toUpperCase()
}
