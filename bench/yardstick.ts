import { createTelemetry } from '@keystamp/testkit'

/**
 * Shortest CPU time, in microseconds, of `JSON.parse`, a spread and `JSON.stringify` of a record of 1 KB.
 * With it, microseconds that were measured on two machines can be compared.
 */
export function measureYardstick(): number {
  const { big } = createTelemetry(1)
  const texts = Array.from({ length: RECORDS }, () => JSON.stringify(big()))
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    useYardstick(texts)
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / RECORDS)
  }
  return best
}

/** Applies `JSON.parse`, a spread and `JSON.stringify` to each record. */
export function useYardstick(texts: readonly string[]): void {
  for (const text of texts) JSON.stringify({ ...(JSON.parse(text) as object), partitionKey: 'abc-123-2018' })
}

const RECORDS = 2000
const ROUNDS = 15
