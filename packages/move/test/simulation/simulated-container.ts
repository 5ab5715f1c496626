import { partitionHash } from '@keystamp/core'
import type { ContainerDefinition, Fence } from '@keystamp/cosmos'
import type { Random, VirtualClock } from '@keystamp/testkit'
import type {
  ChangesAnswer,
  ChangesRequest,
  DocumentWrite,
  FeedRange,
  MoveContainer,
  WriteAnswer
} from '../../src/containers/move-container.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'
import { type Body, bodyOf, type Document, toStored, toVersion, type Version } from './simulated-document.ts'

/** A process that uses a container. */
export interface SimulatedProcess {
  /** After its end, no answer arrives and nothing more is sent. */
  readonly isAlive: () => boolean
  /** Called between the last check of a fence and the request. */
  readonly beforeSend?: () => Promise<void>
  /** Resolves when the process does not stand still: answers wait for it. */
  readonly moves?: () => Promise<void>
}

interface SimulatedRange extends FeedRange {
  lsn: number
  /** Time of the last change. */
  changedMs: number
}

export interface SimulatedOptions {
  readonly name: string
  /** Path of the partition key, one level, such as `/pk`. */
  readonly keyPath: string
  readonly hasPreviousImages: boolean
  /** Time that a replica may be behind. */
  readonly maxBehindMs: number
  /** Share of writes whose answer is lost. */
  readonly lostShare: number
  readonly maxLatencyMs: number
  /** Age of the date of a request from which on it is refused. Default: none. */
  readonly maxRequestAgeMs?: number
}

/**
 * A container in virtual time: physical partitions with their own sequence of changes, replicas that are behind, splits,
 * both change feeds, and writes whose answers are lost and which are applied late.
 */
export class SimulatedContainer {
  readonly definition: ContainerDefinition
  readonly #options: SimulatedOptions
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #documents: Map<string, Document> = new Map()
  #ranges: SimulatedRange[] = [{ min: '', max: 'FF', lsn: 0, changedMs: -1 }]
  /** Times of all changes. */
  readonly #times: number[] = []
  /** Called for each applied write with the versions before and after. */
  onApply: ((identity: Identity, before: Body | undefined, after: Body | undefined) => void) | undefined

  constructor(clock: VirtualClock, random: Random, options: SimulatedOptions) {
    this.#clock = clock
    this.#random = random
    this.#options = options
    this.definition = {
      rid: options.name,
      partitionKey: { paths: [options.keyPath], kind: 'Hash', version: 2 },
      defaultTtl: undefined,
      uniqueKeys: []
    }
  }

  /** Current documents. */
  bodies(): readonly { readonly identity: Identity; readonly body: Body; readonly etag: string }[] {
    return [...this.#documents.values()].flatMap(({ identity, versions }) => {
      const { body, etag } = versions.at(-1)!
      return body === undefined ? [] : [{ identity, body, etag }]
    })
  }

  /** Writes of an application: applied at once. Undefined deletes. */
  apply(identity: Identity, body: Body | undefined, isExpiry: boolean = false): void {
    this.#commit(identity, body, isExpiry)
  }

  current(identity: Identity): { readonly body: Body; readonly etag: string } | undefined {
    const last = this.#documents.get(identityText(identity))?.versions.at(-1)
    return last?.body === undefined ? undefined : { body: last.body, etag: last.etag }
  }

  /** Splits each physical partition in the middle of its keys. */
  splitAll(): void {
    for (const range of this.#ranges) this.split(range)
  }

  /** Splits a physical partition in the middle of its keys. */
  split(range: FeedRange = this.#random.pick(this.#ranges)): void {
    const hashes = [...this.#documents.values()]
      .map(({ hash }) => hash)
      .filter((hash) => hash > range.min && hash < range.max)
      .toSorted()
    if (hashes.length < 2) return
    const middle = hashes[hashes.length >> 1]
    const { min, max } = range
    this.#ranges = this.#ranges.flatMap((each) =>
      each === range
        ? [
            { ...each, min, max: middle },
            { ...each, min: middle, max }
          ]
        : [each]
    )
  }

  /** Merges two neighbors. */
  merge(): void {
    if (this.#ranges.length < 2) return
    const first = this.#random.below(this.#ranges.length - 1)
    const [one, two] = this.#ranges.slice(first, first + 2)
    this.#ranges.splice(first, 2, { ...one, max: two.max, lsn: Math.max(one.lsn, two.lsn) })
  }

  /** The container as one process sees it. */
  open(isAlive: () => boolean, stops: Omit<SimulatedProcess, 'isAlive'> = {}): MoveContainer {
    const process: SimulatedProcess = { isAlive, ...stops }
    /** Changes that the answers of this process contained, by the order in the container. */
    let seen = 0
    const answer = async <T>(work: () => T): Promise<T> => {
      await this.#wait(isAlive)
      const value = work()
      await this.#arrive(process)
      return value
    }
    return {
      name: this.#options.name,
      definition: this.definition,
      feedRanges: () => answer(() => this.#ranges.map(({ min, max }) => ({ min, max }))),
      readChanges: (request) => answer(() => this.#readChanges(request)),
      read: (identity, { sessionToken } = {}) =>
        answer(() => {
          // a process sees its own writes
          const upTo = Math.max(seen, this.#replica(sessionToken))
          return toStored(identity, this.#versionAt(identity, upTo))
        }),
      freshness: {
        newestTokens: () =>
          answer(() => this.#ranges.map(({ min, max }) => ({ range: { min, max }, sessionToken: this.#tokenOf(min) }))),
        covers: (answered, newest) => {
          const [one, other] = [answered.split('#'), newest.split('#')]
          return one[0] === other[0] && Number(one[1]) >= Number(other[1])
        }
      },
      write: async (write, fence) => {
        const result = await this.#write(write, process, fence)
        seen = this.#times.length
        return result
      }
    }
  }

  /** Called for each write that is applied although the lease of its sender has ended, with the document. */
  onLate: ((body: Body) => void) | undefined

  async #write(write: DocumentWrite, process: SimulatedProcess, fence?: Fence): Promise<WriteAnswer> {
    for (;;) {
      if (isLostNow(fence)) throw new Error('The write was withdrawn.')
      const datedMs = this.#clock.now()
      await process.beforeSend?.()
      await this.#wait(process.isAlive)
      if (this.#clock.now() - datedMs > (this.#options.maxRequestAgeMs ?? Number.POSITIVE_INFINITY)) continue
      const isLost = this.#random.chance(this.#options.lostShare)
      if (isLost) {
        // applied now, later, or never; the client sends the write again
        if (this.#random.chance(0.7))
          this.#clock.schedule(this.#random.next() * this.#options.maxLatencyMs * 6, () => this.#applyWrite(write))
        await this.#arrive(process)
        continue
      }
      const before = this.#bodyOf(write)
      const result = this.#applyWrite(write)
      const changed = before ?? this.#bodyOf(write)
      if (isLostNow(fence) && result.kind === 'done' && changed !== undefined) this.onLate?.(changed)
      await this.#arrive(process)
      return result
    }
  }

  #bodyOf(write: DocumentWrite): Body | undefined {
    return this.current(write.kind === 'delete' ? write.identity : write.document.identity)?.body
  }

  #applyWrite(write: DocumentWrite): WriteAnswer {
    const identity = write.kind === 'delete' ? write.identity : write.document.identity
    const current = this.current(identity)
    const { ifMatch } = write
    if (write.kind === 'create' && current !== undefined) return { kind: 'exists', chargeRu: 1 }
    if (write.kind === 'replace' && current === undefined) return { kind: 'missing', chargeRu: 1 }
    if (ifMatch !== undefined && current !== undefined && current.etag !== ifMatch)
      return { kind: 'changed', chargeRu: 1 }
    if (write.kind === 'delete' && current === undefined) return { kind: 'done', etag: undefined, chargeRu: 1 }
    const body = write.kind === 'delete' ? undefined : bodyOf(write.document.stamped)
    this.onApply?.(identity, current?.body, body)
    const { etag } = this.#commit(identity, body, false)
    return { kind: 'done', etag, chargeRu: 1 }
  }

  #commit(identity: Identity, body: Body | undefined, isExpiry: boolean): Version {
    const text = identityText(identity)
    let document = this.#documents.get(text)
    if (document === undefined) {
      document = { identity, hash: partitionHash(identity.key, this.definition.partitionKey), versions: [] }
      this.#documents.set(text, document)
    }
    const { hash } = document
    const range = this.#ranges.find(({ min, max }) => hash >= min && hash < max)!
    // changes of the same moment may belong to one request
    const now = this.#clock.now()
    if (range.changedMs !== now || this.#random.chance(0.5)) range.lsn++
    range.changedMs = now
    const order = this.#times.push(now)
    const second = Math.floor(this.#clock.now() / 1000)
    const version = { lsn: range.lsn, second, etag: `"${order}"`, body, isExpiry, order }
    document.versions.push(version)
    return version
  }

  #readChanges({ range, mode, from, maxItems = 100, sessionToken }: ChangesRequest): ChangesAnswer {
    const owners = this.#ranges.filter(({ min, max }) => min < range.max && range.min < max)
    if (owners.length > 1) {
      const ranges: FeedRange[] = owners.map(({ min, max }) => ({
        min: min > range.min ? min : range.min,
        max: max < range.max ? max : range.max
      }))
      return { kind: 'split', ranges }
    }
    const [owner] = owners
    const upTo = this.#replica(sessionToken)
    const isInside = ({ hash }: Document): boolean => hash >= range.min && hash < range.max
    const inside = [...this.#documents.values()].filter(isInside)
    const changes = inside
      .flatMap((document) => {
        const visible = document.versions.filter(({ order }) => order <= upTo)
        const listed = mode === 'versions' ? visible.map((_, index) => index) : [visible.length - 1]
        return listed
          .filter((index) => index >= 0)
          .map((index) => ({ document, version: visible[index], before: visible[index - 1]?.body }))
      })
      .filter(({ version }) => mode === 'versions' || version.body !== undefined)
      .toSorted((a, b) => a.version.lsn - b.version.lsn || (a.version.etag < b.version.etag ? -1 : 1))
    const newest = Math.max(
      0,
      ...inside.flatMap(({ versions }) => versions.filter(({ order }) => order <= upTo)).map(({ lsn }) => lsn)
    )
    const after = from === 'beginning' ? 0 : from === 'now' ? Math.max(newest, 0) : Number(from)
    const due = from === 'now' ? [] : changes.filter(({ version }) => version.lsn > after)
    // a page has all changes of an lsn
    const last = due.length > maxItems ? due[maxItems - 1].version.lsn : undefined
    const page = last === undefined ? due : due.filter(({ version }) => version.lsn <= last)
    const isEnd = page.length === due.length
    const position = String(page.at(-1)?.version.lsn ?? after)
    return {
      kind: 'page',
      documents: mode === 'latest' ? page.map(({ document, version }) => toStored(document.identity, version)!) : [],
      versions: mode === 'versions' ? page.map((change) => toVersion(change, this.#options.hasPreviousImages)) : [],
      position,
      isEnd,
      sessionToken: this.#tokenOf(owner.min, upTo),
      chargeRu: 1
    }
  }

  /** Session token of the physical partition that begins at a hash. */
  #tokenOf(min: string, upTo: number = this.#times.length): string {
    return `${min}#${upTo}`
  }

  /** The change up to which the replica that answers has everything. */
  #replica(sessionToken: string | undefined): number {
    const behindMs = this.#random.chance(0.3) ? this.#random.next() * this.#options.maxBehindMs : 0
    const token = sessionToken === undefined ? 0 : Number(sessionToken.slice(sessionToken.indexOf('#') + 1))
    return Math.max(token, this.#times.findLastIndex((ms) => ms <= this.#clock.now() - behindMs) + 1)
  }

  #versionAt(identity: Identity, upTo: number): Version | undefined {
    return this.#documents.get(identityText(identity))?.versions.findLast(({ order }) => order <= upTo)
  }

  /** The way of an answer to a process. */
  async #arrive({ isAlive, moves }: SimulatedProcess): Promise<void> {
    await this.#wait(isAlive)
    await moves?.()
    if (!isAlive()) await new Promise<never>(() => {})
  }

  async #wait(isAlive: () => boolean): Promise<void> {
    await this.#clock.sleep(this.#random.next() * this.#options.maxLatencyMs)
    // the continuation of a process that has ended never runs
    if (!isAlive()) await new Promise<never>(() => {})
  }
}

/** A fence can be lost between two questions. */
function isLostNow(fence: Fence | undefined): boolean {
  return fence?.isLost === true
}
