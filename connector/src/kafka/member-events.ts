import { toPosition } from '@keystamp/core'
import type { Consumer, ConsumerStartBatchProcessEvent } from 'kafkajs'
import type { Clock } from '../lifecycle/clock.ts'
import type { RecordBatch, TopicPartition } from './consumer-port.ts'
import type { Assignment, FetchDecision, Fetched, NextFetch, EmptyFetch } from './delivery.ts'
import type { GroupJoins, Joined } from './kafkajs-patches/group-joins.ts'

/** Listener of one member, from its first join until it ends. */
export interface MemberListener {
  readonly joined: (joined: Joined) => void
  /** Partitions may move from now on. Called before this member's JoinGroup request is sent. */
  readonly rebalancing: () => void
  /** The current assignment; undefined if this member has been replaced. */
  readonly assignment: () => Assignment | undefined
  readonly decide: (fetched: Fetched, assignment: Assignment) => FetchDecision
  readonly deliver: (batch: RecordBatch) => NextFetch
  readonly emptyFetch: (topicPartition: EmptyFetch) => void
  /** The offset of a fetch is out of range. */
  readonly outOfRange: (topicPartition: TopicPartition) => Promise<void>
  /** A heartbeat or a join was answered; `sentMs` is when its request was sent, by the clock. */
  readonly heartbeat: (sentMs: number) => void
  /** A leader has assigned topics that this member does not read. */
  readonly unsubscribedTopics: () => void
  readonly crashed: (error: Error) => void
}

/** Listens to the consumer. Resolves with the first join, or with the crash before it. */
export function watchMember(
  consumer: Consumer,
  joins: GroupJoins,
  listener: MemberListener,
  clock: Pick<Clock, 'now'>
): Promise<Error | undefined> {
  const { events } = consumer
  let hasJoined = false
  consumer.on(events.REBALANCING, () => joins.rebalancing())
  consumer.on(events.RECEIVED_UNSUBSCRIBED_TOPICS, listener.unsubscribedTopics)
  consumer.on(events.START_BATCH_PROCESS, ({ payload }) => {
    if (payload.batchSize === 0) listener.emptyFetch(toEmptyFetch(payload))
  })
  watchHeartbeats(consumer, listener, clock)
  return new Promise((resolve) => {
    joins.listen({
      rebalancing: listener.rebalancing,
      outOfRange: listener.outOfRange,
      joined: (joined) => {
        hasJoined = true
        listener.joined(joined)
        resolve(undefined)
      }
    })
    consumer.on(events.CRASH, ({ payload: { error } }) => {
      resolve(error)
      if (hasJoined) listener.crashed(error)
    })
  })
}

/**
 * Reports when each heartbeat was sent, because the coordinator restarts the session before the answer arrives. The
 * process may be suspended at any moment until kafkajs emits the heartbeat. So the sending time is computed when the
 * answer arrives, as the current time minus the age of the request. The clock is read first: a suspension after that
 * can only make the result too early. The age counts from the creation of the request, since kafkajs notes its sending
 * time only after it has written the bytes.
 */
function watchHeartbeats(consumer: Consumer, listener: MemberListener, clock: Pick<Clock, 'now'>): void {
  const { events } = consumer
  let sentMs = Number.NEGATIVE_INFINITY
  consumer.on(events.REQUEST, ({ payload: { apiName, createdAt } }) => {
    if (apiName !== 'Heartbeat' && apiName !== 'SyncGroup') return
    const nowMs = clock.now()
    sentMs = nowMs - Math.max(0, Date.now() - createdAt)
  })
  consumer.on(events.HEARTBEAT, () => listener.heartbeat(sentMs))
  consumer.on(events.GROUP_JOIN, () => listener.heartbeat(sentMs))
}

function toEmptyFetch(payload: ConsumerStartBatchProcessEvent['payload']): EmptyFetch {
  const { topic, partition, lastOffset, highWatermark } = payload
  // kafkajs declares a string, but passes null if all records lie before the offset
  const firstOffset: string | null = payload.firstOffset
  return {
    topic,
    partition,
    first: firstOffset === null ? undefined : toPosition(Number(firstOffset)),
    next: toPosition(Number(lastOffset) + 1),
    highWatermark: toPosition(Number(highWatermark))
  }
}

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'schedule'>
  readonly everyMs: number
  readonly heartbeat: () => Promise<void>
}

/**
 * Sends heartbeats until the promise is settled. kafkajs sends them only between fetches and after handlers, and the
 * group drops a member that waits longer than its session. Rejects with the error of a heartbeat.
 */
export function heartbeatWhile<Result>(waiting: Promise<Result>, options: HeartbeatOptions): Promise<Result> {
  const { clock, everyMs, heartbeat } = options
  return new Promise((resolve, reject) => {
    let isOver = false
    let cancel = clock.schedule(everyMs, () => void beat())
    waiting.then(
      (result) => end(() => resolve(result)),
      (error: unknown) => end(() => reject(error))
    )

    async function beat(): Promise<void> {
      try {
        await heartbeat()
        if (!isOver) cancel = clock.schedule(everyMs, () => void beat())
      } catch (error) {
        end(() => reject(error))
      }
    }

    function end(settle: () => void): void {
      isOver = true
      cancel()
      settle()
    }
  })
}
