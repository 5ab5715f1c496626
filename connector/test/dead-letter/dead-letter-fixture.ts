import { type DeadLetterRecord, deadLetterBytes } from '../../src/dead-letter/dead-letter-record.ts'
import {
  createDeadLetterTopic,
  type FailureKind,
  type DeadLetterTopicOptions,
  type DeadLetterProducer,
  SendFailure
} from '../../src/dead-letter/dead-letter-topic.ts'
import type { DeadLetterWriter } from '../../src/dead-letter/dead-letter-writer.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { REJECTION } from './sample.ts'

/** A dead-letter topic with a fake producer: its stored records, and the failures of its next sends. */
export interface DeadLetterFixture {
  readonly rejects: DeadLetterWriter
  readonly clock: VirtualClock
  /** The stored records of each send. */
  readonly sends: (readonly DeadLetterRecord[])[]
  /** Handling of each record that was too large: `skip` or `withoutValue`. */
  readonly instead: string[]
  /** Failures of the next sends; undefined for success. */
  readonly failures: (FailureKind | undefined)[]
  limit: number
  isClosed: boolean
}

/** Opens a dead-letter topic whose fake producer accepts batches up to `limit` bytes. */
export function openDeadLetterFixture(options: Partial<DeadLetterTopicOptions> = {}): DeadLetterFixture {
  const clock = new VirtualClock()
  const instead: string[] = []
  const sends: (readonly DeadLetterRecord[])[] = []
  const failures: (FailureKind | undefined)[] = []
  const send = async (deadLetters: readonly DeadLetterRecord[]): Promise<void> => {
    await turn()
    const failure = failures.shift()
    if (failure !== undefined) throw new SendFailure(failure, failure.toUpperCase())
    if (deadLetters.reduce((sum, deadLetter) => sum + deadLetterBytes(deadLetter), 0) > fixture.limit)
      throw new SendFailure('tooLarge', 'too large')
    sends.push(deadLetters)
  }
  const producer: DeadLetterProducer = {
    send,
    check: () => send([]),
    close: async () => {
      fixture.isClosed = true
    }
  }
  const rejects = createDeadLetterTopic({
    producer,
    topic: 'dead',
    name: 'cars-to-cosmos',
    tooLarge: 'stop',
    onTooLarge: (what) => instead.push(what),
    clock,
    random: () => 0.5,
    ...options
  })
  const fixture: DeadLetterFixture = {
    rejects,
    clock,
    sends,
    instead,
    failures,
    limit: Number.POSITIVE_INFINITY,
    isClosed: false
  }
  return fixture
}

/** Advances the clock in small steps. */
export async function passTime({ clock }: DeadLetterFixture, untilMs: number): Promise<void> {
  while (clock.now() < untilMs) {
    await turn()
    await clock.runUntil(clock.now() + 500)
  }
}

/** Sends the records, and advances the clock until all are answered. Returns the answers. */
export async function answersOf(
  fixture: DeadLetterFixture,
  records: readonly SinkRecord[]
): Promise<readonly unknown[]> {
  const answers = records.map((record) =>
    fixture.rejects.send(record, REJECTION).then(
      () => 'stored',
      (error: unknown) => error
    )
  )
  const state = { isDone: false }
  const all = Promise.all(answers).finally(() => (state.isDone = true))
  for (let ms = 500; !state.isDone && ms < 1_000_000; ms += 500) {
    await turn()
    await fixture.clock.runUntil(ms)
  }
  return all
}
