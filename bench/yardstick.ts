import { createTelemetry } from '@keystamp/testkit'

/**
 * CPU in microseconds of parsing a record of 1 KB, spreading it and making text of it again, at its best.
 * By this figure those in microseconds can be carried over from one machine to another.
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

/** Parses each, spreads it and makes text of it again. */
export function useYardstick(texts: readonly string[]): void {
  for (const text of texts) JSON.stringify({ ...(JSON.parse(text) as object), partitionKey: 'abc-123-2018' })
}

const RECORDS = 2000
const ROUNDS = 15
