import { parseThrottle, type ThrottleOptions } from '../charge/throttle-options.ts'
import type { MoveOptions } from '../engine/mover.ts'
import type { AppliedWrite } from '../engine/operation-log.ts'
import {
  distributionOf,
  type ThroughputDistribution,
  type ThroughputRedistribution
} from '../engine/redistribute-throughput.ts'
import { respreadThroughput } from '../engine/spread-throughput.ts'
import type { FaultRule } from '../fault/fault-rule.ts'
import type { ActiveFault } from '../fault/faults.ts'
import { refuseUnless, ServiceError } from '../service-error.ts'
import { checkStorageScale } from '../settings.ts'
import type { Container } from '../store/container.ts'
import type { Service } from '../wire/service.ts'
import { type EmulatorReport, reportOn } from './report.ts'

/** Functions for tests, also available over HTTP under `/_control`. */
export interface Control {
  readonly faults: {
    /** Injects a fault; returns its id, which `clear` takes. */
    readonly inject: (rule: FaultRule) => string
    /** Removes one fault, or all. */
    readonly clear: (id?: string) => void
    readonly list: () => readonly ActiveFault[]
  }
  /** Splits a range; resolves with the ids of its children. */
  readonly split: (
    database: string,
    container: string,
    rangeId: string,
    options?: MoveOptions & { at?: string }
  ) => Promise<string[]>
  /** Merges a range with its upper neighbor; resolves with the id of the child. */
  readonly merge: (database: string, container: string, rangeId: string, options?: MoveOptions) => Promise<string[]>
  /** Completes splits and merges that were started with `hold`. */
  readonly completeMoves: (database: string, container: string) => void
  /** The throughput of each range of a container, which has throughput of its own. */
  readonly throughputDistribution: (database: string, container: string) => ThroughputDistribution
  /**
   * Changes the throughput of single ranges, as `redistributeThroughput` of Azure Resource Manager does. A range with
   * more than 10,000 RU/s is split; resolves with the new distribution after the splits.
   */
  readonly redistributeThroughput: (
    database: string,
    container: string,
    redistribution: ThroughputRedistribution
  ) => Promise<ThroughputDistribution>
  /** Sets the number of accounted bytes for each byte of a document: the option `storageScale`. */
  readonly scaleStorage: (scale: number) => void
  /** Budget, usage and refusals of each range. */
  readonly report: () => EmulatorReport
  /** The applied writes that match the filter, oldest first. */
  readonly operations: (filter?: OperationFilter) => AppliedWrite[]
  readonly clearOperations: () => void
  /** Turns throttling on or off, or changes its options. */
  readonly throttle: (options: boolean | ThrottleOptions) => void
  readonly clock: { readonly now: () => number; readonly advance: (ms: number) => void }
  /** Drops all databases, faults and logged operations. */
  readonly reset: () => void
}

/** Filter for applied writes; `partitionKey` is a JSON array such as `["a"]`. */
export type OperationFilter = Partial<Pick<AppliedWrite, 'database' | 'container' | 'partitionKey' | 'id' | 'range'>>

/** Creates the control functions of a service. */
export function createControl(service: Service, clock: Clock): Control {
  const { faults, engine, account, mover, data } = service
  return {
    faults: {
      inject: (rule) => faults.inject(rule),
      clear: (id) => faults.clear(id),
      list: () => faults.list()
    },
    split: async (database, container, rangeId, options) =>
      mover.split(find(service, database, container), rangeId, options),
    merge: async (database, container, rangeId, options) =>
      mover.merge(find(service, database, container), rangeId, options),
    completeMoves: (database, container) => mover.completeMoves(find(service, database, container)),
    throughputDistribution: (database, container) => distributionOf(find(service, database, container)),
    redistributeThroughput: async (database, container, redistribution) => {
      const found = find(service, database, container)
      await mover.redistribute(found, redistribution)
      return distributionOf(found)
    },
    scaleStorage: (scale) => {
      checkStorageScale(scale)
      engine.storage.changeScale(scale)
    },
    report: () => ({
      ...reportOn(account, engine.storage, engine.meter.options !== undefined, service.now()),
      ...(data === undefined ? {} : { compaction: data.compaction })
    }),
    operations: (filter) => engine.log.read(filter),
    clearOperations: () => engine.log.clear(),
    throttle: (options) => {
      engine.meter.change(parseThrottle(options))
      respreadThroughput(engine.meter, account.databases.values(), service.now())
    },
    clock: {
      now: clock.now,
      advance: (ms) => {
        clock.advance(ms)
        account.journal?.resource({ kind: 'clock', aheadMs: clock.aheadMs })
      }
    },
    reset: () => {
      for (const database of account.databases.values()) account.deleteDatabase(database)
      faults.clear()
      engine.log.clear()
    }
  }
}

function find(service: Service, databaseId: string, containerId: string): Container {
  const container = service.account.findContainer(databaseId, containerId)
  if (container === undefined)
    throw new ServiceError(404, `There is no container '${containerId}' in a database '${databaseId}'.`)
  return container
}

/** The clock of an emulator; tests advance it instead of waiting for a TTL or for the next second. */
export class Clock {
  readonly #source: () => number
  #aheadMs: number

  constructor(source: () => number, aheadMs = 0) {
    this.#source = source
    this.#aheadMs = aheadMs
  }

  now = (): number => this.#source() + this.#aheadMs

  /** Milliseconds by which the clock is ahead of its source. */
  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Moves the clock, back for a number below 0. Throws for a time before 1970 or after the year 9999. */
  advance(ms: number): void {
    const atMs = this.now() + ms
    // false for NaN, too
    const isValid = atMs >= 0 && atMs < END_MS
    refuseUnless(isValid, `The clock cannot advance by ${ms} ms: it must stay between the years 1970 and 9999.`)
    this.#aheadMs += ms
  }
}

/** Dates in ISO 8601 have four digits for the year. */
const END_MS = Date.UTC(10_000, 0)
