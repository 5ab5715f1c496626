import type { Reading } from './quantity.ts'
import type { QueryLoad } from './workload.ts'

/** Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, documents, and the rate. */
export function parseQuery(text: string): Reading<QueryLoad> {
  throw new Error(`not written yet: ${text}`)
}
