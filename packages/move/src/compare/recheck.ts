import { CopyGate } from '../copy/copy-gate.ts'
import { type CompareOptions, DEFAULT_LIMITS } from './compare-containers.ts'
import { createSourceSide, createTargetSide } from './compared-side.ts'
import type { Difference } from './difference.ts'
import type { Suspect } from './open-buckets.ts'
import { settle } from './settle.ts'

/**
 * Reads the documents of some differences again, after they were copied again. Returns the differences that remain: the
 * container in charge has the same version as before, or still none while the copy is the same. All others are equal
 * now, or have changed since the comparison.
 */
export async function recheck(
  differences: readonly Difference[],
  inCharge: 'source' | 'target',
  options: CompareOptions
): Promise<readonly Difference[]> {
  if (differences.length === 0) return []
  const { source, target, matching, clock, settleMs = 10_000, ignore, ignoresTtl } = options
  const { maxBytes, maxRequests, maxItems, maxReads } = { ...DEFAULT_LIMITS, ...options.limits }
  const signal = options.signal ?? new AbortController().signal
  const common = { matching, left: { leaveOut: ignore, leaveOutTtl: ignoresTtl }, maxItems, signal }
  const { differences: found } = await settle(suspectsOf(differences), {
    source: createSourceSide({ ...common, container: source, gate: new CopyGate({ maxBytes, maxRequests }) }),
    target: createTargetSide({ ...common, container: target, gate: new CopyGate({ maxBytes, maxRequests }) }),
    matching,
    clock,
    signal,
    settleMs,
    // a document that changes meanwhile has changed since the comparison
    tries: 1,
    maxReads,
    onWait: () => {}
  })
  const isSame = inCharge === 'source' ? remains : (one: Versions, other: Versions) => remains(swap(one), swap(other))
  return found.filter((now) => differences.some((before) => before.document === now.document && isSame(before, now)))
}

type Versions = Pick<Difference, 'source' | 'copy'>

/** Whether a difference is still the same one, where `source` is in charge. */
function remains(before: Versions, now: Versions): boolean {
  if (now.source !== undefined) return now.source.etag === before.source?.etag
  return before.source === undefined && now.copy?.etag === before.copy?.etag
}

function swap({ source, copy }: Versions): Versions {
  return { source: copy, copy: source }
}

function suspectsOf(differences: readonly Difference[]): readonly Suspect[] {
  const suspects = new Map<string, Suspect>()
  for (const { document, source, places } of differences)
    suspects.set(document, { document, sources: source === undefined ? [] : [source.place], targets: places })
  return [...suspects.values()]
}
