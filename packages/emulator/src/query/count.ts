/** True for what TOP, OFFSET and LIMIT take: a whole number of at most 31 bits. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
}
