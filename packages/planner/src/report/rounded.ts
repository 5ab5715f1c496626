/** Shares with four significant digits: a report has thousands of them, for pictures only. */
export function roundedShares(shares: readonly number[]): readonly number[] {
  return shares.map((share) => Number(share.toPrecision(4)))
}
