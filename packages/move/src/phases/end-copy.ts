import type { MoveCopy } from '../copy/move-copy.ts'
import { copyLastChanges, type LastChangesOptions } from './last-changes.ts'
import { sweepOf, type TurnOptions } from './turn.ts'

export interface EndCopyOptions
  extends LastChangesOptions, Pick<TurnOptions, 'direction' | 'sides' | 'stopCopy' | 'isFenced' | 'wallMs' | 'onStep'> {
  readonly copier: MoveCopy
}

/**
 * Ends the copy of a move that is finished or aborted. Returns the reason why that is impossible: without the last
 * changes, the old container would be older than it seems, so the way back stays open.
 */
export async function endCopy(command: 'finish' | 'abort', options: EndCopyOptions): Promise<string | undefined> {
  const problem = command === 'finish' ? await drainBack(options) : undefined
  if (problem !== undefined) return problem
  await options.stopCopy()
  if (options.isFenced) {
    options.onStep('removing the markers of deleted documents')
    await sweepOf(options).removeAll()
  }
  return undefined
}

/** Copies the changes back that were made before now. Returns the reason why that is impossible. */
async function drainBack(options: EndCopyOptions): Promise<string | undefined> {
  const { copier, limits, signal, onStep } = options
  const { pausedFor } = copier.status
  if (pausedFor !== undefined) return `The last changes cannot be copied back while ${pausedFor}.`
  // the times of other processes are those of other clocks
  if (copier.gather !== undefined) onStep('waiting until the other processes have stopped')
  await copier.gather?.(signal)
  onStep('copying the last changes back')
  if (await copyLastChanges(options)) {
    await copier.idle()
    return undefined
  }
  await copier.scatter?.()
  return `The last changes were not copied back within ${limits.drainMs / 1000} s. Nothing was changed: ask again, or end the process of the move if you do not need the old container.`
}
