import type { RangeToken } from '@keystamp/cosmos'
import { type Clock, waitFor } from '@keystamp/core/internal'
import type { MoveContainer } from '../containers/move-container.ts'
import type { MoveCopy } from '../copy/move-copy.ts'

export interface LastChangesOptions {
  readonly source: Pick<MoveContainer, 'freshness'>
  readonly copier: Pick<MoveCopy, 'status' | 'reaches'>
  readonly clock: Clock
  readonly limits: LastChangesLimits
  readonly signal: AbortSignal
}

export interface LastChangesLimits {
  /**
   * Time for which a replica may be behind. The last changes are read for this time after the writes have ended, if the
   * source cannot tell what its last changes are.
   */
  readonly replicaLagMs: number
  /** Time for the last changes. */
  readonly drainMs: number
}

/**
 * Resolves when the target has every change that was made before the call; false if that takes too long. Any answer of
 * the source may come from a replica that is behind. So the primary replicas name their newest changes, and the copy
 * has to reach them; where that is not possible, the copy reads for as long as a replica may be behind.
 */
export async function copyLastChanges(options: LastChangesOptions): Promise<boolean> {
  const { source, copier, clock, limits, signal } = options
  // not by the time of day, which may be set to another one
  const untilMs = clock.now() + limits.replicaLagMs
  const deadlineMs = clock.now() + limits.drainMs
  let tokens = await newestTokens(options)
  let askedMs = clock.now()
  while (!hasReached(tokens) && copier.status.readToEndMs < untilMs) {
    if (clock.now() >= deadlineMs) return false
    await waitFor(POLL_MS, clock, signal)
    if (tokens === undefined || clock.now() < askedMs + ASK_AGAIN_MS) continue
    // a range may have been split, and its parts have other tokens
    tokens = await newestTokens(options)
    askedMs = clock.now()
  }
  return true

  function hasReached(newest: readonly RangeToken[] | undefined): boolean {
    return newest !== undefined && copier.reaches!(newest, source.freshness!)
  }
}

const POLL_MS = 50
const ASK_AGAIN_MS = 1000

async function newestTokens({
  source: { freshness },
  copier,
  signal
}: LastChangesOptions): Promise<readonly RangeToken[] | undefined> {
  return copier.reaches === undefined ? undefined : freshness?.newestTokens(signal)
}
