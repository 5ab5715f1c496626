import { KeystampError } from '@keystamp/core'
import type { RejectSettings } from '../config/settings.ts'
import { type Clock, MACHINE_CLOCK } from '../lifecycle/clock.ts'
import { createCopyQueue } from './copy-queue.ts'
import { type DeadLetter, deadLetter, letterBytes, withoutValue } from './dead-letter.ts'
import { type LetterProducer, SendFailure } from './letter-producer.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import { inTime } from '../lifecycle/in-time.ts'
import type { RejectSink } from './reject-sink.ts'
import { Unreachable } from './unreachable.ts'

export interface KafkaRejectsOptions {
  readonly producer: LetterProducer
  readonly topic: string
  readonly tooLarge: RejectSettings['tooLarge']
  /** Bytes of a letter that the brokers are known not to take; without it they are asked. */
  readonly maxLetterBytes?: number | undefined
  /** Names the sink in the headers. */
  readonly name: string
  readonly taskId?: string
  /** Told when a letter was too large and went on without its value, or not at all. */
  readonly onTooLarge?: (instead: 'withoutValue' | 'skip') => void
  /** Default: refused credentials are final. */
  readonly auth?: AuthGrace
  readonly clock?: Clock
  readonly random?: () => number
}

/** Copies rejected records to a dead letter topic. A copy is acknowledged once the topic has it, and may stand there twice after a failure. */
export function createKafkaRejects(options: KafkaRejectsOptions): RejectSink {
  const {
    producer,
    topic,
    tooLarge,
    maxLetterBytes = Number.POSITIVE_INFINITY,
    name,
    taskId = '0',
    onTooLarge,
    auth,
    random = Math.random
  } = options
  const { clock = MACHINE_CLOCK } = options
  const place = `the dead letter topic "${topic}"`
  const queue = createCopyQueue({ store, bytesOf: letterBytes, place, clock, random })
  let unknownSinceMs: number | undefined

  async function store(letters: readonly DeadLetter[]): Promise<void> {
    try {
      if (letters.some(isTooLarge)) throw new SendFailure('tooLarge', '')
      await producer.send(letters)
      auth?.accepted('the dead-letter topic')
      unknownSinceMs = undefined
    } catch (error) {
      if (!(error instanceof SendFailure) || error.kind !== 'tooLarge') throw toTrouble(error)
      // the limit is one for a batch: each alone may fit
      if (letters.length === 1) await storeInstead(letters[0])
      // oxlint-disable-next-line no-await-in-loop -- their order is kept
      else for (const letter of letters) await store([letter])
    }
  }

  async function storeInstead(letter: DeadLetter): Promise<void> {
    if (tooLarge === 'stop') throw failed('does not take a copy of this size')
    onTooLarge?.(tooLarge)
    if (tooLarge === 'skip') return
    const rest = withoutValue(letter)
    try {
      if (letter.value === null || isTooLarge(rest)) throw new SendFailure('tooLarge', '')
      await producer.send([rest])
    } catch (error) {
      throw error instanceof SendFailure && error.kind === 'tooLarge'
        ? failed('does not take a copy even without its value')
        : toTrouble(error)
    }
  }

  function isTooLarge(letter: DeadLetter): boolean {
    return letterBytes(letter) > maxLetterBytes
  }

  function toTrouble(error: unknown): Error {
    if (!(error instanceof SendFailure)) return error as Error
    if (error.kind === 'passing') return new Unreachable(`Kafka does not answer as it should (${error.type})`, { cause: error })
    if (error.kind === 'unauthorized') return unauthorized(error)
    if (error.kind === 'refused') return failed(`refuses copies (${error.type})`, error)
    unknownSinceMs ??= clock.now()
    const isGone = clock.now() - unknownSinceMs >= UNKNOWN_MS
    return isGone ? failed('does not exist', error) : new Unreachable('it does not exist, or a broker has just started', { cause: error })
  }

  function failed(what: string, cause?: SendFailure): KeystampError {
    const hint = HINTS.get(cause?.type ?? '')
    const message = `The dead letter topic "${topic}" ${what}.`
    return new KeystampError('REJECTS_FAILED', hint === undefined ? message : `${message} ${hint}`, { cause })
  }

  function unauthorized(cause: SendFailure): Error {
    if (auth?.refused('the dead-letter topic') === true) return new Unreachable(`Kafka refuses the credentials (${cause.type})`, { cause })
    const message = `Kafka refused the credentials (${cause.type}) when the dead-letter topic "${topic}" was opened. Check \`kafka.sasl\`.`
    return new KeystampError('KAFKA_UNAUTHORIZED', message, { cause })
  }

  async function check(): Promise<void> {
    try {
      await producer.check()
      auth?.accepted('the dead-letter topic')
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error
      if (error.kind === 'passing')
        throw new Unreachable(`The dead letter topic "${topic}" cannot be reached: Kafka does not answer (${error.type}).`, {
          cause: error
        })
      if (error.kind === 'unauthorized') throw unauthorized(error)
      throw failed(error.kind === 'unknown' ? 'does not exist' : `cannot be written to (${error.type})`, error)
    }
  }

  return {
    send: (record, rejection) => queue.add(deadLetter(record, rejection, { name, taskId })),
    check,
    get waitingFor() {
      return queue.waitingFor
    },
    close: async () => {
      await queue.close()
      await inTime(producer.close(), CLOSE_MS, clock)
    }
  }
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ['TOPIC_AUTHORIZATION_FAILED', 'Allow the sink to describe the topic and to write to it.'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'Brokers before 2.8 ask for the right `IdempotentWrite` on the cluster.'],
  ['INVALID_RECORD', 'A compacted topic takes no copy without a key.']
])

const UNKNOWN_MS = 30_000
const CLOSE_MS = 5000
