/** Median of the ratios of the first value to the second one, round by round. */
export function ratioOf(first: readonly number[], second: readonly number[]): number {
  return median(first.map((value, round) => value / second[round]))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]
}
