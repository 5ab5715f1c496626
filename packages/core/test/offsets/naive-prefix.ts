interface NaivePrefix {
  readonly open: (position: number) => void
  readonly settle: (position: number) => void
  readonly committable: () => number
  readonly openPositions: () => readonly number[]
}

/** Creates a slow but simple model, which keeps every record and iterates over all of them. */
export function createNaivePrefix(first: number): NaivePrefix {
  const records: { position: number; settled: boolean }[] = []
  return {
    open: (position) => void records.push({ position, settled: false }),
    settle: (position) => {
      for (const record of records) if (record.position === position) record.settled = true
    },
    committable: () => {
      let committable = first
      for (const { position, settled } of records) {
        if (!settled) return committable
        committable = position + 1
      }
      return committable
    },
    openPositions: () => records.filter(({ settled }) => !settled).map(({ position }) => position)
  }
}
