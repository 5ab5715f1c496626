/** True for what TOP, OFFSET and LIMIT take: a whole number of at most 31 bits. */
export const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
