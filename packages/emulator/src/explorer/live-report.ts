import type { ThrottleOptions } from '../charge/throttle-options.ts'
import { spacePosition } from '../partition/boundaries.ts'
import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Service } from '../wire/service.ts'

/** State that the page asks for every second. */
export interface LiveReport {
  /** The emulator's clock, and by how much it is ahead of the machine's. */
  readonly nowMs: number
  readonly aheadMs: number
  /** Null when throttling is off. */
  readonly throttle: ThrottleOptions | null
  readonly faults: number
  readonly databases: readonly LiveDatabase[]
  /** The container that the page shows; null when it does not exist. */
  readonly container: LiveContainer | null
}

/** A database of the tree. */
export interface LiveDatabase {
  readonly id: string
  readonly containers: readonly { readonly id: string; readonly items: number }[]
}

/** The container that the page shows. Arrays have one element for each range, in the order of the hash space. */
export interface LiveContainer {
  readonly rid: string
  /** Names of the key properties, from the top of a document. */
  readonly keyPaths: readonly (readonly string[])[]
  readonly mode: 'manual' | 'autoscale'
  readonly ruPerSecond: number
  readonly isShared: boolean
  /** Changes with each split and merge. */
  readonly revision: number
  /** Left out when the page knows this revision. */
  readonly ranges?: readonly LiveRange[]
  readonly phases: readonly string[]
  readonly items: readonly number[]
  readonly bytes: readonly number[]
  readonly provisioned: readonly number[]
  readonly seconds: readonly LiveSecond[]
}

/** A physical partition. `from` and `to` are its bounds as shares of the hash space. */
export interface LiveRange {
  readonly id: string
  readonly min: string
  readonly max: string
  readonly from: number
  readonly to: number
}

/** Usage of one range in one second. */
export type LiveSecond = readonly [
  rangeIndex: number,
  second: number,
  usedRu: number,
  throttled: number,
  operations: number
]

/** The container that the page shows, and the part of its state that the page has. */
export interface LiveRequest {
  readonly database: string | undefined
  readonly container: string | undefined
  /** Resource id and revision that the page knows. */
  readonly known: string | undefined
  /** First second that the page wants. */
  readonly since: number
}

/** Reports what changed since the last report. Nothing is recorded for it: a page that is not open costs nothing. */
export function reportLive(service: Service, request: LiveRequest): LiveReport {
  const { account, engine, faults, settings } = service
  const nowMs = service.now()
  return {
    nowMs,
    aheadMs: nowMs - settings.now(),
    throttle: engine.meter.options ?? null,
    faults: faults.list().length,
    databases: databasesOf(account),
    container: containerOf(account, request)
  }
}

function databasesOf({ databases }: Account): LiveDatabase[] {
  return [...databases.values()].map(({ id, containers }) => ({
    id,
    containers: [...containers.values()].map((container) => ({ id: container.id, items: container.itemCount }))
  }))
}

function containerOf({ databases }: Account, request: LiveRequest): LiveContainer | null {
  const database = databases.get(request.database ?? '')
  const container = database?.containers.get(request.container ?? '')
  if (database === undefined || container === undefined) return null
  const { mode, ruPerSecond } = (container.offer ?? database.offer)!.throughput
  const { all, revision } = container.ranges
  const isKnown = request.known === `${container.rid}/${revision}`
  return {
    rid: container.rid,
    keyPaths: container.keyPaths,
    mode,
    ruPerSecond,
    isShared: container.offer === undefined,
    revision,
    ...(isKnown ? {} : { ranges: all.map((range) => toLiveRange(range, container)) }),
    phases: all.map(({ phase }) => phase),
    items: all.map(({ items }) => items.size),
    bytes: all.map(({ bytes }) => bytes),
    provisioned: all.map(({ budget }) => budget?.ruPerSecond ?? 0),
    seconds: all.flatMap((range, index) => secondsOf(range, index, isKnown ? request.since : 0))
  }
}

function toLiveRange({ id, min, max }: PhysicalRange, { key }: Container): LiveRange {
  return { id, min, max, from: spacePosition(min, key), to: spacePosition(max, key) }
}

function secondsOf({ usage }: PhysicalRange, index: number, since: number): LiveSecond[] {
  return usage
    .recent()
    .filter(({ second }) => second >= since)
    .map(({ second, usedRu, operations, throttledOperations, throttledRequests }) => [
      index,
      second,
      Math.round(usedRu * 100) / 100,
      throttledOperations + throttledRequests,
      operations
    ])
}
