import type { Meter } from '../charge/meter.ts'
import { MAX_RANGE_RU } from '../charge/throughput.ts'
import type { Database } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { Offer } from '../store/offer.ts'
import type { PhysicalRange } from '../store/physical-range.ts'

/**
 * Gives each range of a container its share of the throughput, effective at once: an equal share, or the RU/s that a
 * redistribution assigned.
 */
export function spreadThroughput(meter: Meter, database: Database, container: Container, nowMs: number): void {
  const offer = container.offer ?? database.offer
  if (offer === undefined) return
  const sharers = container.offer === undefined ? sharersOf(database) : [container]
  const count = Math.max(...sharers.map((sharer) => sharer.ranges.all.length))
  const equalShare = offer.throughput.ruPerSecond / count
  for (let index = 0; index < count; index++) {
    // containers that share the throughput of a database share physical partitions and their budgets
    const ranges = sharers.map((sharer) => sharer.ranges.all.at(index)).filter((range) => range !== undefined)
    const ruPerSecond = ownRuPerSecond(ranges[0]) ?? equalShare
    const budget = ranges.find((range) => range.budget !== undefined)?.budget ?? meter.budget(ruPerSecond, nowMs)
    budget.resize(ruPerSecond, nowMs)
    for (const range of ranges) range.budget = budget
  }
}

/** The share of a range in the throughput of its container, or of its database. */
export function throughputFraction(container: Container, range: PhysicalRange, offer: Offer | undefined): number {
  const own = ownRuPerSecond(range)
  if (offer === undefined || own === undefined) return 1 / container.ranges.all.length
  return own / offer.throughput.ruPerSecond
}

function ownRuPerSecond({ assignedRuPerSecond }: PhysicalRange): number | undefined {
  // more than a range can serve is assigned until the range is split
  return assignedRuPerSecond === undefined ? undefined : Math.min(assignedRuPerSecond, MAX_RANGE_RU)
}

/** Replaces all budgets, after throttling was turned on or changed. */
export function respreadThroughput(meter: Meter, databases: Iterable<Database>, nowMs: number): void {
  const all = [...databases]
  for (const database of all) {
    for (const container of database.containers.values()) {
      for (const range of container.ranges.all) range.budget = undefined
    }
  }
  for (const database of all) {
    for (const container of database.containers.values()) spreadThroughput(meter, database, container, nowMs)
  }
}

function sharersOf(database: Database): Container[] {
  return [...database.containers.values()].filter((container) => container.offer === undefined)
}
