import type { Meter } from '../charge/meter.ts'
import type { Container } from './container.ts'
import type { Database } from './database.ts'

/** Gives every range of a container its equal share of the throughput, at once. */
export function spreadThroughput(meter: Meter, database: Database, container: Container, nowMs: number): void {
  const offer = container.offer ?? database.offer
  if (offer === undefined) return
  const sharers =
    container.offer === undefined ? [...database.containers.values()].filter((other) => other.offer === undefined) : [container]
  const count = Math.max(...sharers.map((sharer) => sharer.ranges.all.length))
  for (const [index, range] of container.ranges.all.entries()) {
    const ruPerSecond = offer.throughput.ruPerSecond / count
    // containers of a shared database stand on the same physical partitions and spend one budget
    const shared = container.offer === undefined ? budgetOfNeighbour(sharers, container, index) : undefined
    if (shared !== undefined) range.budget = shared
    if (range.budget === undefined) range.budget = meter.budget(ruPerSecond, nowMs)
    else range.budget.resize(ruPerSecond, nowMs)
  }
}

/** Throws all budgets away and hands out new ones: after throttling was turned on or changed. */
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

function budgetOfNeighbour(sharers: readonly Container[], container: Container, index: number): Container['ranges']['all'][0]['budget'] {
  for (const sharer of sharers) {
    const budget = sharer === container ? undefined : sharer.ranges.all[index]?.budget
    if (budget !== undefined) return budget
  }
  return undefined
}
