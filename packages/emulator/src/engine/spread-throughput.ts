import type { Meter } from '../charge/meter.ts'
import type { Database } from '../store/account.ts'
import type { Container } from '../store/container.ts'

/** Gives each range of a container an equal share of the throughput, effective at once. */
export function spreadThroughput(meter: Meter, database: Database, container: Container, nowMs: number): void {
  const offer = container.offer ?? database.offer
  if (offer === undefined) return
  const sharers = container.offer === undefined ? sharersOf(database) : [container]
  const count = Math.max(...sharers.map((sharer) => sharer.ranges.all.length))
  const ruPerSecond = offer.throughput.ruPerSecond / count
  for (let index = 0; index < count; index++) {
    // containers that share the throughput of a database share physical partitions and their budgets
    const ranges = sharers.map((sharer) => sharer.ranges.all.at(index)).filter((range) => range !== undefined)
    const budget = ranges.find((range) => range.budget !== undefined)?.budget ?? meter.budget(ruPerSecond, nowMs)
    budget.resize(ruPerSecond, nowMs)
    for (const range of ranges) range.budget = budget
  }
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
