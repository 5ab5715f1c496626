/** The range that holds an effective partition key: the last that does not begin behind it. The ranges ascend by `min`. */
export function ownerOf<Range extends { readonly min: string }>(ranges: readonly Range[], epk: string): Range | undefined {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle].min <= epk) low = middle + 1
    else high = middle
  }
  return ranges[low - 1]
}
