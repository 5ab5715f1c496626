/** Options of the slices of one range. */
export interface RangeLeaseOptions {
  readonly sliceMs: number
  /** Called for each slice: the budget may change. */
  readonly sliceRu: () => number
  readonly now: () => number
  /** Resolves when the next slice may be spent; slots are at least `sliceMs` apart. */
  readonly nextSlot: () => Promise<void>
}

/** The slices of one range, and the requests that wait for them. */
export interface RangeLease {
  readonly take: (ru: number) => number | Promise<number>
  readonly correct: (ru: number) => void
  readonly end: () => void
}

interface Waiting {
  readonly ru: number
  readonly resolve: (ru: number) => void
}

/** Fetches slices while there are requests, one ahead; unspent RU never exceed one slice. */
export function createRangeLease({ sliceMs, sliceRu, now, nextSlot }: RangeLeaseOptions): RangeLease {
  const waiting: Waiting[] = []
  let left = 0
  let isFetching = false
  let isEnded = false
  let lastSliceMs = now()
  // the next slot is requested early, so that none is lost in between; that ends when nothing was taken since the last slot
  let wasTaken = false

  function take(ru: number): number | Promise<number> {
    if (isEnded) return 0
    wasTaken = true
    if (!isFetching) {
      forgiveDebt()
      void fetchSlices()
    }
    if (waiting.length === 0 && ru <= left) {
      left -= ru
      return ru
    }
    return new Promise((resolve) => waiting.push({ ru, resolve }))
  }

  async function fetchSlices(): Promise<void> {
    isFetching = true
    while (isWanted()) {
      wasTaken = false
      await nextSlot()
      addSlice()
    }
    isFetching = false
  }

  function isWanted(): boolean {
    return !isEnded && (wasTaken || waiting.length > 0)
  }

  function addSlice(): void {
    const slice = sliceRu()
    lastSliceMs = now()
    left += slice
    serve()
    if (waiting.length === 0) left = Math.min(left, slice)
  }

  function serve(): void {
    while (waiting.length > 0 && waiting[0].ru <= left) {
      const { ru, resolve } = waiting.shift()!
      left -= ru
      wasTaken = true
      resolve(ru)
    }
  }

  function correct(ru: number): void {
    left = Math.min(left + ru, Math.max(left, sliceRu()))
    serve()
  }

  // while nothing was taken, slices that would have paid the debt were not fetched
  function forgiveDebt(): void {
    if (left < 0) left = Math.min(0, left + ((now() - lastSliceMs) / sliceMs) * sliceRu())
  }

  return {
    take,
    correct,
    end: () => {
      isEnded = true
      for (const { resolve } of waiting.splice(0)) resolve(0)
    }
  }
}
