import type { PartitionKey } from '@keystamp/core'
import type { RangeKeys } from './route-keys.ts'

/** Description of the requests of a read, without sending them. */
export interface Explanation {
  /**
   * `point`: a read by key and id. `partition`: a query of one logical partition. `ranges`: one query for each range
   * with its share of the keys.
   */
  readonly kind: 'point' | 'partition' | 'ranges'
  /** Number of keys under which documents with these parts can be stored. */
  readonly keys: number
  /** Versions of the plan that make these keys: 0 for the newest. */
  readonly versions: readonly number[]
  readonly ranges: readonly { readonly id: string; readonly keys: number }[]
  /**
   * Number of requests, without further pages. For a point read, it is an upper bound: one for each version of the
   * plan.
   */
  readonly requests: number
  readonly ru: {
    /** Minimum charge of these requests, without the charge for the documents that they find. */
    readonly least: number
    /**
     * Source of the price of a request: `measured` from pages that this reader has read, or `assumed` from public
     * figures.
     */
    readonly from: 'measured' | 'assumed'
  }
}

const POINT_RU = 1

/** Describes a point read under these keys. */
export function explainPoint(keys: readonly PartitionKey[], routed: readonly RangeKeys[]): Explanation {
  return { ...shapeOf(keys, routed), kind: 'point', requests: keys.length, ru: { least: POINT_RU, from: 'assumed' } }
}

/** Describes one query for each entry of `routed`. */
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

/** Average charge of pages so far. */
export interface PagePrices {
  readonly learn: (chargeRu: number) => void
  /** Expected charge of a page in RU. */
  readonly pageRu: () => number
  readonly isLearned: () => boolean
}

// Lower bound in public traces for a page of a query that finds little.
const ASSUMED_RU = 2.3

// weight of a new page in the average
const WEIGHT = 0.1

/** Creates page prices: an assumed charge at first, then a moving average of the charges of the pages that were read. */
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
