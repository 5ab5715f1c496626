import type { Position } from '@keystamp/core'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import { type Clock, waitWhile } from '../lifecycle/clock.ts'
import type { Assignment } from './assignment.ts'
import { type KafkaTrouble, toKafkaTrouble } from './kafka-trouble.ts'

export interface LearnOptions<Found extends { readonly positions: Map<string, Position> }> {
  readonly assignment: Assignment
  /** Whether nothing has come in its place. */
  readonly isCurrent: () => boolean
  readonly find: () => Promise<Found>
  /** Called once, when the assignment has learned them. */
  readonly onLearned: (found: Found) => void
  readonly clock: Clock
  /** Whether waiting can help. */
  readonly passes: (trouble: KafkaTrouble) => boolean
  readonly fail: (error: Error) => void
}

/** Asks where an assignment begins, until there is an answer or nobody needs it any more. */
export async function learnPositions<Found extends { readonly positions: Map<string, Position> }>({
  assignment,
  isCurrent,
  find,
  onLearned,
  clock,
  passes,
  fail
}: LearnOptions<Found>): Promise<void> {
  const delay = new RetryDelay(ASK_AGAIN_MS)
  while (isCurrent() && !assignment.isKnown) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- asked again until there is an answer
      const found = await find()
      if (!isCurrent()) return
      assignment.learn(found.positions)
      onLearned(found)
    } catch (error) {
      const trouble = toKafkaTrouble(error, 'to say where reading begins')
      if (!passes(trouble)) return fail(trouble.error)
      // oxlint-disable-next-line no-await-in-loop -- after a while
      await waitWhile(isCurrent, delay.next(trouble.isUnauthorized), clock)
    }
  }
}

const ASK_AGAIN_MS = 200
