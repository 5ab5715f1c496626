import type { PartitionKey } from '@keystamp/core'
import type { RangeKeys } from './route-keys.ts'

/** The requests of a read, before they are sent. */
export interface Explanation {
  /** A point read by key and id, one logical partition, or each range for its share of the keys. */
  readonly kind: 'point' | 'partition' | 'ranges'
  /** Number of keys that documents with these parts can have. */
  readonly keys: number
  /** Versions of the plan for those keys: 0 for the newest. */
  readonly versions: readonly number[]
  readonly ranges: readonly { readonly id: string; readonly keys: number }[]
  /** Requests; each further page is one more. Upper bound for a point read: one for each version of the plan. */
  readonly requests: number
  readonly ru: {
    /** Minimum cost of those requests; the documents that are found are added. */
    readonly least: number
    /** Source of the price of a request: pages that this reader has read, or public figures. */
    readonly from: 'measured' | 'assumed'
  }
}

const POINT_RU = 1

/** Describes a point read under these keys. */
export function explainPoint(keys: readonly PartitionKey[], routed: readonly RangeKeys[]): Explanation {
  return { ...shapeOf(keys, routed), kind: 'point', requests: keys.length, ru: { least: POINT_RU, from: 'assumed' } }
}

/** Describes a query for each entry of `routed`. */
export function explainQuery(
  keys: readonly PartitionKey[],
  routed: readonly RangeKeys[],
  prices: PagePrices
): Explanation {
  const requests = routed.length
  return {
    ...shapeOf(keys, routed),
    kind: keys.length === 1 && requests === 1 ? 'partition' : 'ranges',
    requests,
    ru: { least: Math.round(requests * prices.pageRu() * 100) / 100, from: prices.isLearned() ? 'measured' : 'assumed' }
  }
}

function shapeOf(
  keys: readonly PartitionKey[],
  routed: readonly RangeKeys[]
): Pick<Explanation, 'keys' | 'versions' | 'ranges'> {
  const ranges = new Map<string, number>()
  for (const { range, keys: held } of routed) ranges.set(range.id, (ranges.get(range.id) ?? 0) + held.length)
  return {
    keys: keys.length,
    versions: [...new Set(keys.map(({ version }) => version))],
    ranges: [...ranges].map(([id, count]) => ({ id, keys: count }))
  }
}

/** RU that pages cost so far. */
export interface PagePrices {
  readonly learn: (chargeRu: number) => void
  /** RU that a page is expected to cost. */
  readonly pageRu: () => number
  readonly isLearned: () => boolean
}

// Lower bound in public traces for a page of a query that finds little.
const ASSUMED_RU = 2.3

// weight of a new page
const WEIGHT = 0.1

/** Begins with public figures, and follows the charges. */
export function createPagePrices(): PagePrices {
  let known: number | undefined
  return {
    learn: (chargeRu) => {
      known = known === undefined ? chargeRu : known + WEIGHT * (chargeRu - known)
    },
    pageRu: () => known ?? ASSUMED_RU,
    isLearned: () => known !== undefined
  }
}
