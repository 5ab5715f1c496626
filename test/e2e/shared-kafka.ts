import type { KafkaMissing } from '@keystamp/testkit'
import { inject } from 'vitest'

/** The broker that all tests of a run share; what they make there has names of their own. */
export interface SharedKafka {
  /** Empty where there is none. */
  readonly brokers: string
  /** For `describe.skipIf`. */
  readonly isMissing: boolean
  /** Appends to a title the reason why its tests are skipped. */
  readonly why: string
}

/** Asks for that broker: the first who asks waits until it is started. */
export async function sharedKafka(): Promise<SharedKafka> {
  const answer = (await (await fetch(inject('kafkaFixture'))).json()) as
    | { brokers: string }
    | { failed: string }
    | KafkaMissing
  if ('failed' in answer) throw new Error(answer.failed)
  if ('missing' in answer) return { brokers: '', isMissing: true, why: ` (skipped: ${answer.missing})` }
  return { ...answer, isMissing: false, why: '' }
}
