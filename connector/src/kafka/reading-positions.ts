import { KeystampError, type Position, toPosition } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import { type Clock, waitWhile } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import type { ConsumerListener, OutOfRange, TopicPartition } from './consumer-port.ts'
import type { Assignment, Delivery } from './delivery.ts'
import { type KafkaFailure, type RefusedRequests, toKafkaFailure } from './kafka-errors.ts'
import { learnPositions } from './start-positions.ts'
import { StoredOffsets } from './stored-offsets.ts'

interface ReadingPositionsOptions {
  readonly settings: Pick<KafkaSettings, 'group' | 'from' | 'lostOffsets'>
  readonly clock: Clock
  readonly log: Log
  readonly refused: RefusedRequests
  /** The admin that is connected now. */
  readonly admin: () => Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets' | 'fetchTopicOffsetsByTimestamp'>
  readonly delivery: () => Delivery
  readonly isOver: () => boolean
  /** Calls the listener; returns undefined if the consumer has ended. */
  readonly notify: <Answer>(call: (listener: ConsumerListener) => Answer) => Answer | undefined
  readonly fail: (error: Error) => void
}

/** Decides where reading begins after a join, and where it continues if the next offset is out of range. */
export class ReadingPositions {
  readonly stored: StoredOffsets
  readonly #options: ReadingPositionsOptions
  readonly #recoverDelay: RetryDelay = new RetryDelay(RECOVER_AGAIN_MS)

  constructor(options: ReadingPositionsOptions) {
    this.#options = options
    const { settings, clock, log, admin, delivery, notify, fail } = options
    this.stored = new StoredOffsets({
      settings,
      clock,
      log,
      admin,
      move: (range) => delivery().deliverFrom(range, notify((listener) => listener.outOfRange(range)) ?? range.to),
      fail
    })
  }

  /** Whether this is the last assignment, and the consumer has not ended. */
  isLast(assignment: Assignment): boolean {
    return !this.#options.isOver() && assignment === this.#options.delivery().assignment
  }

  /** Finds the start offsets of the assignment. Resolves when they are known or no longer needed. */
  learn(assignment: Assignment): Promise<void> {
    const { clock, refused, delivery, notify, fail } = this.#options
    return learnPositions({
      assignment,
      isCurrent: () => assignment === delivery().assignment,
      find: () => refused.ask(START_POSITIONS, () => this.stored.find(assignment.partitions)),
      onLearned: (found) => {
        delivery().seekAll()
        if (found.starts.length > 0) notify((listener) => listener.learned(found.starts))
        this.stored.take(found)
      },
      clock,
      passes: (failure) => refused.passes(failure, START_POSITIONS),
      fail
    })
  }

  /** Called when Kafka has answered a fetch with OFFSET_OUT_OF_RANGE. Resolves when the next fetch may be sent. */
  async recover(topicPartition: TopicPartition): Promise<void> {
    const { settings, clock, log, refused, admin, delivery, notify, fail } = this.#options
    const { assignment } = delivery()
    await recoverPosition({
      topicPartition,
      assignment,
      isCurrent: () => this.isLast(assignment),
      lostOffsets: settings.lostOffsets,
      admin: { fetchTopicOffsets: (name) => refused.ask(RANGES, () => admin().fetchTopicOffsets(name)) },
      clock,
      delay: this.#recoverDelay,
      log,
      passes: (failure) => refused.passes(failure, RANGES),
      seek: (position) => delivery().deliverFrom(topicPartition, position),
      outOfRange: (range) => notify((listener) => listener.outOfRange(range)),
      fail
    })
  }

  /** Checks whether the group still stores the offsets of the current assignment. */
  check(): void {
    const { assignment } = this.#options.delivery()
    if (assignment.isKnown && assignment.partitions.length > 0) {
      void this.stored.look(assignment.partitions, () => this.isLast(assignment))
    }
  }
}

/** Names of requests for `RefusedRequests`. */
const START_POSITIONS = 'start positions'
const RANGES = 'where partitions begin and end'
const RECOVER_AGAIN_MS = 100

export interface RecoverOptions {
  readonly topicPartition: TopicPartition
  readonly assignment: Assignment
  /** Whether the assignment is still the last one. */
  readonly isCurrent: () => boolean
  readonly lostOffsets: KafkaSettings['lostOffsets']
  readonly admin: Pick<Admin, 'fetchTopicOffsets'>
  readonly clock: Clock
  /** Delay between attempts; one object for all fetches, so that the delay can grow. */
  readonly delay: RetryDelay
  readonly log: Log
  /** Whether retrying can help. */
  readonly passes: (failure: KafkaFailure) => boolean
  /** Makes the next fetch begin here. */
  readonly seek: (position: Position) => void
  /** Returns the offset to continue at; undefined if the consumer has ended. */
  readonly outOfRange: (range: OutOfRange) => Position | undefined
  readonly fail: (error: Error) => void
}

/**
 * Decides where reading continues after Kafka has answered a fetch with OFFSET_OUT_OF_RANGE. Commits nothing: the
 * stored offset and its metadata stay until the owner of the partition commits the new one.
 */
export async function recoverPosition(options: RecoverOptions): Promise<void> {
  const { topicPartition, assignment, isCurrent, clock, delay, passes, fail } = options
  let isRefused = false
  // until the start offsets of the assignment are known, kafkajs fetches at other offsets
  await assignment.known
  if (isCurrent() && assignment.owns(topicPartition)) {
    try {
      const range = await findRange(options)
      if (isCurrent() && range !== undefined && recoverWithin(range, options)) return
    } catch (error) {
      const failure = toKafkaFailure(error, 'to return the first and last offset of a partition')
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

/** Returns false if the expected offset is in range. */
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
    `Topic "${topicPartition.topic}", partition ${topicPartition.partition} has no record at offset ${from} any more (it has offsets ${low} to ${high}): ` +
    'retention or a tool removed the records, or the topic was created again'
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
