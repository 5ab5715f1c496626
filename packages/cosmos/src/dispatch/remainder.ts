import type { PendingOperation } from './pending-operation.ts'
import type { Verdict } from './verdict.ts'

/** What is to be done with those of a batch that got no outcome. */
export interface Remainder {
  /** To be sent again from the head of the lane. */
  readonly again: PendingOperation[]
  /** The longest wait that the service asked for. */
  retryAfterMs: number
  throttled: number
  /** Operations that failed with a status that is tried again, and the last such status. */
  failed: number
  failedWith: string
  chargedRu: number
  moved: (Verdict & { kind: 'moved' }) | undefined
  /** The service did not know the container. */
  isMissing: boolean
}

export function createRemainder(): Remainder {
  return { again: [], retryAfterMs: 0, throttled: 0, failed: 0, failedWith: '', chargedRu: 0, moved: undefined, isMissing: false }
}
