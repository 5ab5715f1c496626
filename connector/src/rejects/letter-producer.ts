import type { DeadLetter } from './dead-letter.ts'

/** Sends dead letters to one topic. */
export interface LetterProducer {
  /** Resolves when all are stored on all replicas that have to be in step; else throws a SendFailure. */
  readonly send: (letters: readonly DeadLetter[]) => Promise<void>
  /** Connects and looks for the topic; that it may be written to shows with the first letter only. Throws a SendFailure. */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `passing` may be cured by time, `refused` will not; `unauthorized` is a refused credential of this client; a topic that is `unknown` may be only to a broker that has just started. */
export type FailureKind = 'tooLarge' | 'unknown' | 'refused' | 'unauthorized' | 'passing'

/** Why letters were not stored; `type` is how Kafka or its client names it. */
export class SendFailure extends Error {
  readonly kind: FailureKind
  readonly type: string

  constructor(kind: FailureKind, type: string, options?: { cause?: unknown }) {
    super(`${kind}: ${type}`, options)
    this.name = 'SendFailure'
    this.kind = kind
    this.type = type
  }
}
