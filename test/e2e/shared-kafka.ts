import type { KafkaMissing } from '@keystamp/testkit'
import { inject } from 'vitest'

/** The broker that all tests of a run share; each test uses its own names for topics and groups. */
export interface SharedKafka {
  /** Empty if there is no Kafka. */
  readonly brokers: string
  /** For `describe.skipIf`. */
  readonly isMissing: boolean
  /** Appends to a title the reason why its tests are skipped. */
  readonly why: string
}

/** Gets the address of the broker. The first call waits until the broker is started. */
export async function sharedKafka(): Promise<SharedKafka> {
  const answer = (await (await fetch(inject('kafkaFixture'))).json()) as
    | { brokers: string }
    | { failed: string }
    | KafkaMissing
  if ('failed' in answer) throw new Error(answer.failed)
  if ('missing' in answer) return { brokers: '', isMissing: true, why: ` (skipped: ${answer.missing})` }
  return { ...answer, isMissing: false, why: '' }
}
