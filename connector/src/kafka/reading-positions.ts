import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import type { ConsumerListener, TopicPartition } from './consumer-port.ts'
import type { Assignment, Delivery } from './delivery.ts'
import type { RefusedRequests } from './kafka-errors.ts'
import { recoverPosition } from './recover-position.ts'
import { learnPositions } from './start-positions.ts'
import { StoredOffsets } from './stored-offsets.ts'

export interface ReadingPositionsOptions {
  readonly settings: Pick<KafkaSettings, 'group' | 'from' | 'lostOffsets'>
  readonly clock: Clock
  readonly log: Log
  readonly refused: RefusedRequests
  /** The admin that is connected now. */
  readonly admin: () => Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>
  readonly delivery: () => Delivery
  readonly isOver: () => boolean
  /** Calls the listener; undefined where the consumer has ended. */
  readonly tell: <Answer>(call: (listener: ConsumerListener) => Answer) => Answer | undefined
  readonly fail: (error: Error) => void
}

/** Decides where reading begins after a join, and where it continues after Kafka has lost the next offset. */
export class ReadingPositions {
  readonly stored: StoredOffsets
  readonly #options: ReadingPositionsOptions
  readonly #recoverDelay: RetryDelay = new RetryDelay(RECOVER_AGAIN_MS)

  constructor(options: ReadingPositionsOptions) {
    this.#options = options
    const { settings, clock, log, admin, delivery, tell, fail } = options
    this.stored = new StoredOffsets({
      settings,
      clock,
      log,
      admin,
      move: (range) => delivery().deliverFrom(range, tell((listener) => listener.outOfRange(range)) ?? range.to),
      fail
    })
  }

  /** Whether this is the last assignment, and the consumer has not ended. */
  isLast(assignment: Assignment): boolean {
    return !this.#options.isOver() && assignment === this.#options.delivery().assignment
  }

  /** Learns where the partitions of the assignment begin. Resolves when that is known, or not needed any more. */
  learn(assignment: Assignment): Promise<void> {
    const { clock, refused, delivery, tell, fail } = this.#options
    return learnPositions({
      assignment,
      isCurrent: () => assignment === delivery().assignment,
      find: () => refused.ask(START_POSITIONS, () => this.stored.find(assignment.partitions)),
      onLearned: (found) => {
        delivery().seekAll()
        if (found.starts.length > 0) tell((listener) => listener.learned(found.starts))
        this.stored.take(found)
      },
      clock,
      passes: (failure) => refused.passes(failure, START_POSITIONS),
      fail
    })
  }

  /** Kafka has answered a fetch with OFFSET_OUT_OF_RANGE. Resolves when the next fetch may be sent. */
  async recover(topicPartition: TopicPartition): Promise<void> {
    const { settings, clock, log, refused, admin, delivery, tell, fail } = this.#options
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
      outOfRange: (range) => tell((listener) => listener.outOfRange(range)),
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

/** Requests whose refusals are counted. */
const START_POSITIONS = 'start positions'
const RANGES = 'where partitions begin and end'
const RECOVER_AGAIN_MS = 100
