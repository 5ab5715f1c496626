import type { DeadLetter } from './dead-letter.ts'

/** Sends dead letters to one topic. */
export interface LetterProducer {
  /** Resolves when all are stored on all replicas that have to be in step; else throws a SendFailure. */
  readonly send: (letters: readonly DeadLetter[]) => Promise<void>
  /** Connects and looks for the topic; throws a SendFailure. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `passing` may be cured by time, `refused` will not; a topic that is `unknown` may be only to a broker that has just started. */
export type FailureKind = 'tooLarge' | 'unknown' | 'refused' | 'passing'

/** Why letters were not stored; `reason` is the end of a sentence. */
export class SendFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.name = 'SendFailure'
    this.kind = kind
  }
}
