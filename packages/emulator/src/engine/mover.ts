import type { Meter } from '../charge/meter.ts'
import { MAX_RANGE_RU } from '../charge/throughput.ts'
import { middleBoundary } from '../partition/boundaries.ts'
import { ServiceError } from '../service-error.ts'
import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { Offer } from '../store/offer.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { assignThroughput, crowdedRanges } from './redistribute-throughput.ts'
import { respreadThroughput, spreadThroughput } from './spread-throughput.ts'

/** Options for a split or merge. */
export interface MoveOptions {
  /** How long the parents are listed and answer 410/1007. Default: the emulator's `moveMs`. */
  readonly lockMs?: number
  /** Stay in that phase until `completeMoves`. Default: false. */
  readonly hold?: boolean
}

/** Dependencies of the mover. */
interface MoverContext {
  readonly account: Account
  readonly meter: Meter
  readonly lockMs: number
  readonly now: () => number
}

/** Splits and merges ranges. Clients see two phases: first the parents are locked, then the children are online. */
export class Mover {
  readonly #context: MoverContext
  readonly #held: Map<Container, (() => void)[]> = new Map()
  readonly #timers: Set<NodeJS.Timeout> = new Set()
  readonly #growing: Set<PhysicalRange> = new Set()

  constructor(context: MoverContext) {
    this.#context = context
  }

  /** Splits a range in the middle, or at a given effective key; resolves with the ids of the children. */
  async split(container: Container, rangeId: string, options: MoveOptions & { at?: string } = {}): Promise<string[]> {
    const range = onlineRange(container, rangeId)
    const middle = options.at?.toUpperCase() ?? middleBoundary(range.min, range.max, container.key)
    if (middle === undefined || middle <= range.min || middle >= range.max) {
      throw new ServiceError(
        400,
        `Range '${rangeId}' cannot be split${options.at === undefined ? '' : ` at '${options.at}'`}.`
      )
    }
    range.phase = 'splitting'
    await this.#lock(container, options)
    return this.#finish(container, [range], [range.min, middle, range.max])
  }

  /**
   * Merges a range with its upper neighbor, or the last range with its lower one. Resolves with the id of the child.
   */
  async merge(container: Container, rangeId: string, options: MoveOptions = {}): Promise<string[]> {
    const { all } = container.ranges
    if (container.retained !== undefined) throw new ServiceError(400, MERGE_WITH_VERSIONS)
    if (all.length < 2) throw new ServiceError(400, 'A container with one range has nothing to merge.')
    const at = Math.min(all.indexOf(onlineRange(container, rangeId)), all.length - 2)
    const parents = [onlineRange(container, all[at].id), onlineRange(container, all[at + 1].id)]
    for (const parent of parents) parent.phase = 'merging'
    await this.#lock(container, options)
    return this.#finish(container, parents, [parents[0].min, parents[1].max])
  }

  /** Completes the held moves of a container. */
  completeMoves(container: Container): void {
    const held = this.#held.get(container) ?? []
    this.#held.delete(container)
    for (const release of held) release()
  }

  /** Spreads a changed offer over the ranges, and splits until each range can serve its share. */
  followOffer(offer: Offer): void {
    for (const database of this.#context.account.databases.values()) {
      for (const container of database.containers.values()) {
        if ((container.offer ?? database.offer) !== offer) continue
        spreadThroughput(this.#context.meter, database, container, this.#context.now())
        if (container.offer === offer) void this.#growTo(container, offer)
      }
    }
  }

  /**
   * Changes the throughput of single ranges, as `redistributeThroughput` of Azure Resource Manager does. Resolves when
   * the ranges with more RU/s than a range can serve are split.
   */
  async redistribute(container: Container, requested: unknown): Promise<void> {
    const nowMs = this.#context.now()
    const crowded = assignThroughput(container, requested, Math.floor(nowMs / 1000))
    container.ranges.touch()
    this.#context.account.noteThroughput(container)
    this.#spread(container)
    await this.#splitCrowded(container, crowded)
  }

  async #splitCrowded(container: Container, crowded: readonly PhysicalRange[]): Promise<void> {
    if (crowded.length === 0) return
    const { account } = this.#context
    const offer = container.offer!
    account.setPending(offer, true)
    try {
      await Promise.all(crowded.map((range) => this.split(container, range.id)))
    } finally {
      account.setPending(offer, false)
    }
  }

  /** Gives the ranges of a data folder their budgets, and continues splits that a raised throughput needs. */
  resume(): void {
    const { account, meter, now } = this.#context
    respreadThroughput(meter, account.databases.values(), now())
    for (const container of account.containers()) {
      if (container.offer?.isReplacePending === true) void this.#resumeSplits(container, container.offer)
    }
  }

  async #resumeSplits(container: Container, offer: Offer): Promise<void> {
    await this.#splitCrowded(container, crowdedRanges(container))
    await this.#growTo(container, offer)
  }

  /** Splits a range that has grown too large, after the current request. */
  followGrowth(container: Container, range: PhysicalRange): void {
    if (this.#growing.has(range) || !isDivisible(container, range) || holdsOneKey(range)) return
    this.#growing.add(range)
    setImmediate(() => {
      this.#growing.delete(range)
      if (isDivisible(container, range) && !holdsOneKey(range)) void this.split(container, range.id)
    })
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  async #growTo(container: Container, offer: Offer): Promise<void> {
    const { account } = this.#context
    const wanted = Math.ceil(offer.throughput.ruPerSecond / MAX_RANGE_RU)
    if (container.ranges.all.length >= wanted) {
      account.setPending(offer, false)
      return
    }
    account.setPending(offer, true)
    while (container.ranges.all.length < wanted) {
      const widest = container.ranges.all
        .filter((range) => isDivisible(container, range))
        .toSorted((a, b) => width(b, container) - width(a, container))[0]
      if (widest === undefined) break
      await this.split(container, widest.id)
    }
    account.setPending(offer, false)
  }

  async #lock(container: Container, options: MoveOptions): Promise<void> {
    if (options.hold === true) {
      return new Promise((release) => this.#held.set(container, [...(this.#held.get(container) ?? []), release]))
    }
    const lockMs = options.lockMs ?? this.#context.lockMs
    if (lockMs === 0) return undefined
    return new Promise((release) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        release()
      }, lockMs)
      this.#timers.add(timer)
    })
  }

  #finish(container: Container, parents: readonly PhysicalRange[], bounds: readonly string[]): string[] {
    const children = container.ranges.replace(parents, bounds)
    numberChanges(parents, children)
    moveItems(parents, children)
    divideThroughput(parents, children)
    container.journal?.resource({ kind: 'ranges', container: container.number, state: container.ranges.state() })
    this.#spread(container)
    return children.map((child) => child.id)
  }

  #spread(container: Container): void {
    const database = this.#context.account.databases.get(container.database)
    if (database !== undefined) spreadThroughput(this.#context.meter, database, container, this.#context.now())
  }
}

const MERGE_WITH_VERSIONS =
  "The ranges of this container cannot be merged: its 'changeFeedPolicy' turns on the change feed of all versions and deletes, which Cosmos DB does not support together with merges."

function onlineRange(container: Container, id: string): PhysicalRange {
  const range = container.ranges.byId(id)
  if (range === undefined) throw new ServiceError(404, `The container '${container.id}' has no range '${id}'.`)
  if (range.phase !== 'online') throw new ServiceError(409, `Range '${id}' is already ${range.phase}.`)
  return range
}

function isDivisible(container: Container, range: PhysicalRange): boolean {
  if (range.phase !== 'online' || container.ranges.byId(range.id) !== range) return false
  return middleBoundary(range.min, range.max, container.key) !== undefined
}

// a logical partition cannot be divided, so a split of such a range would not help
function holdsOneKey(range: PhysicalRange): boolean {
  for (const item of range.items) return item.partition.size === range.items.size
  return true
}

function width(range: PhysicalRange, container: Container): number {
  const low = Number.parseInt(range.min.slice(0, 8) || '0', 16)
  const high =
    range.max === 'FF'
      ? container.key.version === 1
        ? 0x05c1efff
        : 0x3fffffff
      : Number.parseInt(range.max.slice(0, 8), 16)
  return high - low
}

function numberChanges(parents: readonly PhysicalRange[], children: readonly PhysicalRange[]): void {
  for (const child of children) {
    child.lsn = Math.max(...parents.map((parent) => parent.lsn)) + 1
    const version = Math.max(...parents.map((parent) => parent.sessionVersion))
    // a merge increments the version of session tokens, a split keeps it
    child.sessionVersion = parents.length > 1 ? version + 1 : version
  }
}

/** Moves items from parents to children in the order of creation, and change feed entries in the order of LSNs. */
export function moveItems(parents: readonly PhysicalRange[], children: readonly PhysicalRange[]): void {
  for (const item of inOrder(parents, 'items', 'ordinal')) {
    const child = ownerAmong(children, item.partition.effectiveKey)
    item.partition.range = child
    child.items.push(item)
    child.bytes += item.length
  }
  for (const item of inOrder(parents, 'changes', 'lsn')) item.partition.range.changes.push(item)
  // only a split has logs to divide: containers with logs refuse merges
  const logs = parents[0].versions?.split(children.map(({ max }) => max))
  for (const [index, child] of children.entries()) child.versions = logs?.[index]
}

/** Gives the RU/s that a redistribution assigned to the parents to their children, in equal parts. */
function divideThroughput(parents: readonly PhysicalRange[], children: readonly PhysicalRange[]): void {
  const assigned = parents
    .map((parent) => parent.assignedRuPerSecond)
    .filter((ruPerSecond) => ruPerSecond !== undefined)
  if (assigned.length === 0) return
  const sum = assigned.reduce((total, ruPerSecond) => total + ruPerSecond, 0)
  for (const child of children) child.assignedRuPerSecond = sum / children.length
}

type Item = PhysicalRange['items'] extends Iterable<infer Held> ? Held : never

function inOrder(parents: readonly PhysicalRange[], list: 'items' | 'changes', by: 'ordinal' | 'lsn'): Item[] {
  const all = parents.flatMap((parent) => [...parent[list]])
  return parents.length === 1 ? all : all.toSorted((a, b) => a[by] - b[by])
}

function ownerAmong(ranges: readonly PhysicalRange[], effectiveKey: string): PhysicalRange {
  return ranges.find((range) => effectiveKey < range.max) ?? ranges.at(-1)!
}
