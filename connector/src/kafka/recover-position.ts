import { KeystampError, type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import type { RetryDelay } from '../lifecycle/auth-grace.ts'
import { type Clock, waitWhile } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import type { Assignment } from './delivery.ts'
import type { OutOfRange, TopicPartition } from './consumer-port.ts'
import { type KafkaFailure, toKafkaFailure } from './kafka-errors.ts'

export interface RecoverOptions {
  readonly topicPartition: TopicPartition
  readonly assignment: Assignment
  /** Whether the assignment is still the last one. */
  readonly isCurrent: () => boolean
  readonly lostOffsets: KafkaSettings['lostOffsets']
  readonly admin: Pick<Admin, 'fetchTopicOffsets'>
  readonly clock: Clock
  /** Delay between attempts; it is kept from one fetch to the next. */
  readonly delay: RetryDelay
  readonly log: Log
  /** Whether retrying can help. */
  readonly passes: (failure: KafkaFailure) => boolean
  /** Makes the next fetch begin here. */
  readonly seek: (position: Position) => void
  /** Returns the offset to continue at; undefined where the consumer has ended. */
  readonly outOfRange: (range: OutOfRange) => Position | undefined
  readonly fail: (error: Error) => void
}

/**
 * Decides where reading continues after Kafka has answered a fetch with OFFSET_OUT_OF_RANGE. Stores nothing: the offset of the group and its
 * metadata stay until the new owner of the position commits.
 */
export async function recoverPosition(options: RecoverOptions): Promise<void> {
  const { topicPartition, assignment, isCurrent, clock, delay, passes, fail } = options
  let isRefused = false
  // the client fetches at offsets of its own until the positions of the assignment are known
  await assignment.known
  if (isCurrent() && assignment.owns(topicPartition)) {
    try {
      const range = await findRange(options)
      if (isCurrent() && range !== undefined && recoverWithin(range, options)) return
    } catch (error) {
      const failure = toKafkaFailure(error, 'to say where a partition begins and ends')
      if (!passes(failure)) return fail(failure.error)
      isRefused = failure.isUnauthorized
    }
  }
  // the next fetch fails in the same way and asks again
  await waitWhile(isCurrent, delay.next(isRefused), clock)
}

interface Range {
  readonly low: Position
  readonly high: Position
}

async function findRange({ admin, topicPartition }: RecoverOptions): Promise<Range | undefined> {
  const offsets = await admin.fetchTopicOffsets(topicPartition.topic)
  const found = offsets.find(({ partition }) => partition === topicPartition.partition)
  return found && { low: toPosition(found.low), high: toPosition(found.high) }
}

/** Answers false where the offset of the next fetch was right before, too. */
function recoverWithin(
  { low, high }: Range,
  { topicPartition, assignment, lostOffsets, log, seek, outOfRange, fail }: RecoverOptions
): boolean {
  const from = assignment.expected(topicPartition)
  if (from === undefined || (from >= low && from <= high)) {
    seek(from ?? low)
    return false
  }
  const where =
    `Topic "${topicPartition.topic}", partition ${topicPartition.partition} holds no records at offset ${from} any more (it has offsets ${low} to ${high}): ` +
    'retention or a tool removed them, or the topic was created again'
  if (lostOffsets === 'stop') {
    fail(new KeystampError('OFFSETS_LOST', `${where}.`))
    return true
  }
  const to = lostOffsets === 'earliest' ? low : high
  const next = outOfRange({ ...topicPartition, from, to, low, high }) ?? to
  seek(next)
  if (next !== to) return true
  log.warn(
    { code: 'OFFSETS_LOST', ...topicPartition, from, to },
    `${where}. Reading continues at offset ${to} (\`kafka.lostOffsets: ${lostOffsets}\`).`
  )
  return true
}
