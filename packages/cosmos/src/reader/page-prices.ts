/** What a page cost so far. */
export interface PagePrices {
  readonly learn: (chargeRu: number) => void
  /** RU that a page is expected to cost. */
  readonly pageRu: () => number
  readonly isLearned: () => boolean
}

// The least that public traces show for a page of a query that finds little.
const ASSUMED_RU = 2.3

// how much of what is known a new page replaces
const WEIGHT = 0.1

/** Begins with what others saw, and follows what is charged here. */
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
