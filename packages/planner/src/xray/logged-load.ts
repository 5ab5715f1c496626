import type { KeyDefinition, KeyRange } from '@keystamp/core'
import type { LoggedUse } from '../workload/log-export.ts'
import type { LoadInput } from './xray-input.ts'
import { createLoadCounter } from './load-counter.ts'

/** Windows into which the period of a log export is divided. */
const WINDOWS = 15

/** Counts the request units of a log export by key, range and window. */
export function countLoggedUses(
  uses: readonly LoggedUse[],
  { definition, ranges }: { readonly definition: Required<KeyDefinition>; readonly ranges: readonly KeyRange[] }
): LoadInput | null {
  if (uses.length === 0) return null
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { atMs } of uses) {
    first = Math.min(first, atMs)
    last = Math.max(last, atMs)
  }
  const lengthMs = Math.max(1000, last - first)
  const counter = createLoadCounter({ definition, ranges, windows: WINDOWS })
  // a container with one level knows one value; a hierarchical key may be logged by its first levels
  const levels = definition.kind === 'MultiHash' ? definition.paths.length : 1
  for (const { values, ru, atMs } of uses) {
    const window = Math.min(WINDOWS - 1, Math.floor(((atMs - first) / lengthMs) * WINDOWS))
    if (values.length > 0 && values.length <= levels) counter.add(values, window, ru)
  }
  return {
    source: 'log',
    counted: counter.finish(),
    seconds: lengthMs / 1000,
    windowStarts: Array.from({ length: WINDOWS }, (_, window) =>
      new Date(first + (window * lengthMs) / WINDOWS).toISOString()
    )
  }
}
