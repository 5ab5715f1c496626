import { createPlan, joinedLength, joinInto, ownerOf, partitionHash, type PlanDefinition, rangesOf } from '@keystamp/core'

/** What one key does to a load: how much of it each range gets, and what stamping took. */
export interface Load {
  /** Records by range. */
  readonly counts: readonly number[]
  /** Distinct keys: logical partitions. */
  readonly keys: number
  readonly recordsPerSecond: number
  /** The share of the bought RU/s that can be used before the fullest range is full. */
  readonly usable: number
}

/** Stamps every record, as JSON bytes, and counts where Cosmos DB would put it. */
export function countLoad(definition: PlanDefinition, records: readonly Uint8Array[], rangeCount: number, now: () => number): Load {
  const plan = createPlan(definition)
  const ranges = rangesOf(rangeCount, plan.partitionKey)
  const counts = new Map(ranges.map(({ id }) => [id, 0]))
  const stamped = new Map<string, number>()
  let output = new Uint8Array(4096)
  const start = now()
  for (const record of records) {
    const result = plan.stampBytes(record)
    if (!result.ok) throw new Error(result.message)
    if (joinedLength(result) > output.length) output = new Uint8Array(joinedLength(result) * 2)
    joinInto(result, output, 0)
    const key = String(result.values[0])
    stamped.set(key, (stamped.get(key) ?? 0) + 1)
  }
  const seconds = (now() - start) / 1000
  for (const [key, count] of stamped) {
    const id = ownerOf(ranges, partitionHash([key], plan.partitionKey))?.id ?? ''
    counts.set(id, (counts.get(id) ?? 0) + count)
  }
  const loads = [...counts.values()]
  return {
    counts: loads,
    keys: stamped.size,
    recordsPerSecond: records.length / seconds,
    usable: records.length / (rangeCount * Math.max(...loads))
  }
}
