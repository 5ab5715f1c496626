import { KeystampError } from '@keystamp/core'
import type { RejectSettings } from '../config/settings.ts'
import { createDeadLetterQueue, UnreachableError } from './dead-letter-queue.ts'
import { type DeadLetterRecord, toDeadLetterRecord, deadLetterBytes, withoutValue } from './dead-letter-record.ts'
import type { DeadLetterWriter } from './dead-letter-writer.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import { type Clock, withTimeout, MACHINE_CLOCK } from '../lifecycle/clock.ts'

export interface DeadLetterTopicOptions {
  readonly producer: DeadLetterProducer
  readonly topic: string
  readonly tooLarge: RejectSettings['tooLarge']
  /** Size limit of a dead-letter record, in bytes, if it is known before sending. */
  readonly maxDeadLetterBytes?: number | undefined
  /** Name of the sink, for the headers. */
  readonly name: string
  readonly taskId?: string
  /** Called when a dead-letter record was too large and was sent without its value, or not at all. */
  readonly onTooLarge?: (instead: 'withoutValue' | 'skip') => void
  /** Default: refused credentials are final. */
  readonly auth?: AuthGrace
  readonly clock?: Clock
  readonly random?: () => number
}

/**
 * Copies rejected records to a dead-letter topic. A copy is acknowledged once the topic has stored it; after a failure
 * it may be stored twice.
 */
export function createDeadLetterTopic(options: DeadLetterTopicOptions): DeadLetterWriter {
  const {
    producer,
    topic,
    tooLarge,
    maxDeadLetterBytes = Number.POSITIVE_INFINITY,
    name,
    taskId = '0',
    onTooLarge,
    auth,
    random = Math.random
  } = options
  const { clock = MACHINE_CLOCK } = options
  const destination = `the dead-letter topic "${topic}"`
  const queue = createDeadLetterQueue({ store, bytesOf: deadLetterBytes, destination, clock, random })
  let unknownSinceMs: number | undefined

  async function store(deadLetters: readonly DeadLetterRecord[]): Promise<void> {
    try {
      if (deadLetters.some(isTooLarge)) throw new SendFailure('tooLarge', '')
      await producer.send(deadLetters)
      auth?.accepted('the dead-letter topic')
      unknownSinceMs = undefined
    } catch (error) {
      if (!(error instanceof SendFailure) || error.kind !== 'tooLarge') throw toFailure(error)
      // the limit applies to a batch: each record alone may fit
      if (deadLetters.length === 1) await storeInstead(deadLetters[0])
      else for (const deadLetter of deadLetters) await store([deadLetter])
    }
  }

  async function storeInstead(deadLetter: DeadLetterRecord): Promise<void> {
    if (tooLarge === 'stop') throw failed('does not accept a copy of this size')
    onTooLarge?.(tooLarge)
    if (tooLarge === 'skip') return
    const rest = withoutValue(deadLetter)
    try {
      if (deadLetter.value === null || isTooLarge(rest)) throw new SendFailure('tooLarge', '')
      await producer.send([rest])
    } catch (error) {
      throw error instanceof SendFailure && error.kind === 'tooLarge'
        ? failed('does not accept the copy even without its value')
        : toFailure(error)
    }
  }

  function isTooLarge(deadLetter: DeadLetterRecord): boolean {
    return deadLetterBytes(deadLetter) > maxDeadLetterBytes
  }

  function toFailure(error: unknown): Error {
    if (!(error instanceof SendFailure)) return error as Error
    if (error.kind === 'temporary')
      return new UnreachableError(`a request to Kafka failed (${error.type})`, { cause: error })
    if (error.kind === 'unauthorized') return unauthorized(error)
    if (error.kind === 'refused') return failed(`refuses copies (${error.type})`, error)
    unknownSinceMs ??= clock.now()
    const isGone = clock.now() - unknownSinceMs >= UNKNOWN_MS
    return isGone
      ? failed('does not exist', error)
      : new UnreachableError('it does not exist, or a broker has just started', { cause: error })
  }

  function failed(what: string, cause?: SendFailure): KeystampError {
    const hint = HINTS.get(cause?.type ?? '')
    const message = `The dead-letter topic "${topic}" ${what}.`
    return new KeystampError('REJECTS_FAILED', hint === undefined ? message : `${message} ${hint}`, { cause })
  }

  function unauthorized(cause: SendFailure): Error {
    if (auth?.refused('the dead-letter topic') === true)
      return new UnreachableError(`Kafka refuses the credentials (${cause.type})`, { cause })
    const message = `Kafka refused the credentials (${cause.type}) when the dead-letter topic "${topic}" was opened. Check \`kafka.sasl\`.`
    return new KeystampError('KAFKA_UNAUTHORIZED', message, { cause })
  }

  async function check(): Promise<void> {
    try {
      await producer.check()
      auth?.accepted('the dead-letter topic')
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error
      if (error.kind === 'temporary')
        throw new UnreachableError(
          `The dead-letter topic "${topic}" cannot be reached: Kafka does not answer (${error.type}).`,
          {
            cause: error
          }
        )
      if (error.kind === 'unauthorized') throw unauthorized(error)
      throw failed(error.kind === 'unknown' ? 'does not exist' : `cannot be written to (${error.type})`, error)
    }
  }

  return {
    send: (record, rejection) => queue.add(toDeadLetterRecord(record, rejection, { name, taskId })),
    check,
    get waitingFor() {
      return queue.waitingFor
    },
    close: async () => {
      await queue.close()
      await withTimeout(producer.close(), CLOSE_MS, clock)
    }
  }
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['TOPIC_AUTHORIZATION_FAILED', 'Allow the sink to describe the topic and to write to it.'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'Brokers before 2.8 require the permission `IdempotentWrite` on the cluster.'],
  ['INVALID_RECORD', 'A compacted topic does not accept a copy without a key.']
])

const UNKNOWN_MS = 30_000
const CLOSE_MS = 5000

/** Sends dead-letter records to one topic. */
export interface DeadLetterProducer {
  /** Resolves when all in-sync replicas have stored all records; otherwise throws a SendFailure. */
  readonly send: (deadLetters: readonly DeadLetterRecord[]) => Promise<void>
  /**
   * Connects and looks for the topic. A missing write permission shows only when the first dead-letter record is sent.
   * Throws a SendFailure.
   */
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * `temporary`: a retry can help; `refused`: a retry cannot help; `tooLarge`: larger than the topic allows;
 * `unauthorized`: the credentials of this client were refused; `unknown`: the topic is missing, perhaps only on a
 * broker that has just started.
 */
export type FailureKind = 'tooLarge' | 'unknown' | 'refused' | 'unauthorized' | 'temporary'

/** Why dead-letter records were not stored; `type` is the error's name in Kafka or in its client. */
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
