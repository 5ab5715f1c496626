import { formatBytes, formatDuration, formatMany, formatRate } from './quantity-text.ts'
import type { Workload } from './workload.ts'

export interface Contradiction {
  /** Property of the workload that contains one of the two statements. */
  readonly property: string
  readonly message: string
}

/** Factor by which two statements may differ without a contradiction, because they are estimates. */
const TOLERANCE = 2

const SECONDS_PER_DAY = 86_400

/** Finds statements in a workload that contradict each other. */
export function findContradictions(workload: Workload): readonly Contradiction[] {
  return [sizes(workload), growth(workload), retention(workload), regions(workload), consistency(workload)].filter(
    (found) => found !== undefined
  )
}

function sizes({ items, itemBytes, totalBytes }: Workload): Contradiction | undefined {
  if (items === undefined || itemBytes === undefined || totalBytes === undefined) return undefined
  const product = items * itemBytes
  if (Math.max(product, totalBytes) <= TOLERANCE * Math.min(product, totalBytes)) return undefined
  const message = `contradicts items and itemSize: ${formatMany(items, 'document')} of ${formatBytes(itemBytes)} ${items === 1 ? 'is' : 'are'} ${formatBytes(product)}, not ${formatBytes(totalBytes)}`
  return { property: 'totalSize', message }
}

function growth({ writes, itemBytes, growthBytesPerDay }: Workload): Contradiction | undefined {
  if (writes === undefined || itemBytes === undefined || growthBytesPerDay === undefined) return undefined
  const most = writes.perSecond * itemBytes * SECONDS_PER_DAY
  if (growthBytesPerDay <= TOLERANCE * most) return undefined
  const message = `contradicts writes: ${formatRate(writes.perSecond)} of ${formatBytes(itemBytes)} are at most ${formatBytes(most)} a day`
  return { property: 'growth', message }
}

// every document is written at least once in its time to live
function retention({ writes, itemBytes, totalBytes, ttlSeconds }: Workload): Contradiction | undefined {
  if (writes === undefined || itemBytes === undefined || totalBytes === undefined) return undefined
  if (typeof ttlSeconds !== 'number' || writes.operation === 'delete') return undefined
  const most = writes.perSecond * itemBytes * ttlSeconds
  if (totalBytes <= TOLERANCE * most) return undefined
  const message = `contradicts ttl: ${formatRate(writes.perSecond)} of ${formatBytes(itemBytes)} fill at most ${formatBytes(most)} in ${formatDuration(ttlSeconds)}`
  return { property: 'totalSize', message }
}

function regions({ multiRegionWrites, regions: count }: Workload): Contradiction | undefined {
  if (!multiRegionWrites || count > 1) return undefined
  return { property: 'multiRegionWrites', message: 'needs regions of at least 2' }
}

function consistency({ consistency: level, multiRegionWrites }: Workload): Contradiction | undefined {
  if (level !== 'strong' || !multiRegionWrites) return undefined
  return { property: 'consistency', message: 'cannot be strong in an account that writes in several regions' }
}
