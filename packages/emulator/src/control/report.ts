import type { UsageSecond } from '../charge/meter.ts'
import type { CompactionReport } from '../data/compaction-health.ts'
import { throughputFraction } from '../engine/spread-throughput.ts'
import type { Account, Database } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Storage } from '../store/storage.ts'

/** Budgets, usage and refusals of all containers. */
export interface EmulatorReport {
  readonly atMs: number
  readonly isThrottling: boolean
  readonly containers: readonly ContainerReport[]
  /** Whether the files of the data folder can be compacted; left out without a data folder. */
  readonly compaction?: CompactionReport
}

/** One container of a report. */
export interface ContainerReport {
  readonly database: string
  readonly container: string
  readonly items: number
  readonly throughput: ThroughputReport
  readonly ranges: readonly RangeReport[]
  /** The partition keys with the highest charges, highest first. */
  readonly hottestKeys: readonly { readonly partitionKey: string; readonly chargedRu: number }[]
}

/** Throughput of a container. */
export interface ThroughputReport {
  readonly mode: 'manual' | 'autoscale'
  /** Provisioned RU/s, or the maximum of autoscale. */
  readonly ruPerSecond: number
  /** Whether the database's containers share it. */
  readonly isShared: boolean
  /**
   * RU/s that autoscale would bill for the last two minutes: the maximum times the highest use of a range's share, and
   * at least a tenth of the maximum.
   */
  readonly scaledToRuPerSecond: number
}

/** One range of a report; totals count from the creation of the range. */
export interface RangeReport {
  readonly id: string
  readonly minInclusive: string
  readonly maxExclusive: string
  readonly phase: string
  readonly parents: readonly string[]
  readonly items: number
  /** Accounted size: the bytes of the documents times the storage scale. */
  readonly bytes: number
  readonly lsn: number
  /** RU that the range may spend in a second. */
  readonly provisionedRuPerSecond: number
  readonly usedRu: number
  readonly refusedRu: number
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledRequests: number
  /** The last two minutes, without the seconds that had no request. */
  readonly seconds: readonly ReportedSecond[]
}

/** One second of a range. `usedShare` is the used share of the budget, above 1 when the budget was overdrawn. */
export interface ReportedSecond extends UsageSecond {
  readonly usedShare: number
}

/** Reports on all containers of an account. */
export function reportOn(account: Account, storage: Storage, isThrottling: boolean, atMs: number): EmulatorReport {
  const containers = [...account.databases.values()].flatMap((database) =>
    [...database.containers.values()].map((container) => reportContainer(database, container, storage))
  )
  return { atMs, isThrottling, containers }
}

const HOTTEST = 10

function reportContainer(database: Database, container: Container, storage: Storage): ContainerReport {
  const { mode, ruPerSecond } = (container.offer ?? database.offer)!.throughput
  return {
    database: database.id,
    container: container.id,
    items: container.itemCount,
    throughput: {
      mode,
      ruPerSecond,
      isShared: container.offer === undefined,
      scaledToRuPerSecond: scaledTo(container, mode, ruPerSecond)
    },
    ranges: container.ranges.all.map((range) => reportRange(range, storage)),
    hottestKeys: hottestKeys(container)
  }
}

function scaledTo(container: Container, mode: 'manual' | 'autoscale', ruPerSecond: number): number {
  if (mode === 'manual') return ruPerSecond
  const uses = container.ranges.all.flatMap((range) =>
    range.usage.recent().map(({ usedRu }) => usedRu / throughputFraction(container, range, container.offer))
  )
  return Math.round(Math.min(ruPerSecond, Math.max(ruPerSecond / 10, ...uses)))
}

function reportRange(range: PhysicalRange, storage: Storage): RangeReport {
  const { usedRu, refusedRu, operations, throttledOperations, throttledRequests } = range.usage.total
  const provisioned = range.budget?.ruPerSecond ?? 0
  return {
    id: range.id,
    minInclusive: range.min,
    maxExclusive: range.max,
    phase: range.phase,
    parents: range.parents,
    items: range.items.size,
    bytes: storage.accounted(range.bytes),
    lsn: range.lsn,
    provisionedRuPerSecond: provisioned,
    usedRu: round(usedRu),
    refusedRu: round(refusedRu),
    operations,
    throttledOperations,
    throttledRequests,
    seconds: range.usage.recent().map((second) => reportSecond(second, provisioned))
  }
}

function reportSecond(second: UsageSecond, provisioned: number): ReportedSecond {
  const { usedRu, refusedRu } = second
  return {
    ...second,
    usedRu: round(usedRu),
    refusedRu: round(refusedRu),
    usedShare: provisioned === 0 ? 0 : round(usedRu / provisioned)
  }
}

function hottestKeys(container: Container): { partitionKey: string; chargedRu: number }[] {
  const hottest: { partitionKey: string; chargedRu: number }[] = []
  let lowest = 0
  for (const { keyText, chargedRu } of container.partitions.values()) {
    if (hottest.length === HOTTEST && chargedRu <= lowest) continue
    hottest.push({ partitionKey: `[${keyText}]`, chargedRu: round(chargedRu) })
    hottest.sort((a, b) => b.chargedRu - a.chargedRu)
    hottest.length = Math.min(hottest.length, HOTTEST)
    lowest = hottest.at(-1)!.chargedRu
  }
  return hottest
}

function round(ru: number): number {
  return Math.round(ru * 100) / 100
}
