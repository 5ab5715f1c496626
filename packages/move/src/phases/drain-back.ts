import type { MoveCopy } from '../copy/move-copy.ts'
import { copyLastChanges, type LastChangesOptions } from './last-changes.ts'

/**
 * Copies the changes back that were made before now. Returns the reason why that is impossible: then the way back has to
 * stay open, because without them the old container would be older than it seems.
 */
export async function drainBack(
  options: LastChangesOptions & { readonly copier: MoveCopy; readonly onStep: (sentence: string) => void }
): Promise<string | undefined> {
  const { copier, limits, signal, onStep } = options
  const { pausedFor } = copier.status
  if (pausedFor !== undefined) return `The last changes cannot be copied back while ${pausedFor}.`
  // the times of other processes are those of other clocks
  if (copier.gather !== undefined) onStep('waiting until the other processes have stopped')
  await copier.gather?.(signal)
  onStep('copying the last changes back')
  if (await copyLastChanges(options)) return undefined
  await copier.scatter?.()
  return `The last changes were not copied back within ${limits.drainMs / 1000} s. Nothing was changed: ask again, or end the process of the move if you do not need the old container.`
}
