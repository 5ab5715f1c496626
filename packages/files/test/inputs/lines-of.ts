/** Returns lines of small records. */
export function linesOf(count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    return `${JSON.stringify({ id: `r${n}`, deviceId: `d${n % 7}`, n })}\n`
  }).join('')
}
