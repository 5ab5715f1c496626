import type { Position } from '@keystamp/core'
import type { Batch, Cluster, EachBatchPayload, Kafka } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import { byTopic, type Commit, type TopicPartition } from './consumer-port.ts'
import { GroupJoins } from './kafkajs-patches/group-joins.ts'
import { toKafkaFailure } from './kafka-errors.ts'
import { heartbeatWhile, type MemberListener, watchMember } from './member-events.ts'
import { fetchedFrom, toRecordBatch } from './kafkajs-records.ts'
import { askTopicIds } from './topic-id-request.ts'
import { TopicIds } from './topic-ids.ts'

/** Member of the group: one kafkajs consumer, from its subscription to its crash or stop. */
export interface Member {
  /** Resolves after the first join. */
  readonly start: () => Promise<void>
  readonly pause: (partitions: readonly TopicPartition[]) => void
  readonly resume: (partitions: readonly TopicPartition[]) => void
  readonly seek: (topicPartition: TopicPartition, position: Position) => void
  /** Commits offsets in the generation of the last join. During a rebalance, sends nothing and returns false. */
  readonly commit: (commits: readonly Commit[]) => Promise<boolean>
  /** Leaves the group. Waits for a join that is in progress, but not for handlers. */
  readonly stop: () => Promise<void>
}

export interface MemberOptions {
  readonly kafka: Kafka
  readonly settings: KafkaSettings
  readonly clock: Clock
  readonly topics: readonly string[]
  readonly listener: MemberListener
  /**
   * Id of an earlier member that lost its connection before it could leave. The new member makes it leave; otherwise
   * the group would wait until its session ends.
   */
  readonly former: string | undefined
  /** How often kafkajs retries before the member crashes. */
  readonly retries: number
  /** Whether records get the id of their topic. */
  readonly readsTopicIds?: boolean | undefined
}

/** Creates a member that is not connected yet. */
export function createMember({
  kafka,
  settings,
  clock,
  topics,
  listener,
  former,
  retries,
  readsTopicIds
}: MemberOptions): Member {
  let cluster: Cluster | undefined
  const everyMs = settings.heartbeatMs / 2
  const joins = new GroupJoins({ clock, everyMs })
  const consumer = kafka.consumer({
    groupId: settings.group,
    sessionTimeout: settings.sessionTimeoutMs,
    rebalanceTimeout: settings.rebalanceTimeoutMs,
    heartbeatInterval: settings.heartbeatMs,
    metadataMaxAge: settings.metadataMaxAgeMs,
    maxWaitTimeInMs: settings.maxWaitMs,
    maxBytesPerPartition: settings.maxBytesPerPartition,
    maxBytes: PARTITIONS_A_FETCH * settings.maxBytesPerPartition,
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (group) => {
        cluster = group.cluster
        return joins.assigner(group)
      }
    ],
    retry: { ...RUN_RETRY, retries }
  })
  const topicIds =
    readsTopicIds === true ? new TopicIds({ clock, ask: (names) => askTopicIds(cluster!, names) }) : undefined
  /** Releases handlers that wait for unknown start offsets. */
  const releases = new Set<() => void>()
  const firstJoin = watchMember(consumer, joins, listener, clock)
  let isStopped = false
  let starting: Promise<void> | undefined
  return {
    start: () => (starting ??= start()),
    pause: (topicPartitions) => whileRunning(() => consumer.pause(partitionsOf(topicPartitions))),
    resume: (topicPartitions) => whileRunning(() => consumer.resume(partitionsOf(topicPartitions))),
    seek,
    commit: (commits) => joins.commit(commits),
    stop
  }

  async function start(): Promise<void> {
    const steps = [
      () => consumer.connect(),
      () => (former === undefined ? undefined : leaveAs(former)),
      () => consumer.subscribe({ topics: [...topics], fromBeginning: true }),
      () => consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch })
    ]
    for (const step of steps) {
      await step()
      // stop() was called during the step: whatever the step has opened is closed again
      if (isStopped) return consumer.disconnect()
    }
    const crash = await firstJoin
    if (crash !== undefined) throw crash
  }

  async function leaveAs(memberId: string): Promise<void> {
    const groupId = settings.group
    try {
      const coordinator = (await cluster?.findGroupCoordinator({ groupId })) as Leaving | undefined
      await coordinator?.leaveGroup({ groupId, memberId })
    } catch (error) {
      // it has left already, or the group drops it when its session ends
      if (!toKafkaFailure(error, 'to let a member leave').passes) throw error
    }
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const assignment = listener.assignment()
    if (assignment === undefined) return
    if (!assignment.isKnown) {
      await heartbeatWhile(untilReleased(assignment.known), { clock, everyMs, heartbeat: () => payload.heartbeat() })
      // the member stops, or the assignment has ended
      if (!assignment.isKnown) return
    }
    if (topicIds !== undefined && !topicIds.isCurrent(batch.topic)) {
      const reading = topicIds.read(batch.topic)
      const isSame = await heartbeatWhile(reading, { clock, everyMs, heartbeat: () => payload.heartbeat() })
      // fetches again, so that the id was known before the fetch
      if (!isSame) return
    }
    const from = fetchedFrom(batch)
    const fetched = { topic: batch.topic, partition: batch.partition, from }
    const decision = listener.decide(fetched, assignment)
    const next =
      decision.action === 'deliver' ? listener.deliver(toRecordBatch(batch, from, topicIds?.of(batch.topic))) : decision
    if (next.action === 'seek') seek(fetched, next.to)
    else if (next.action === 'resolve') payload.resolveOffset(lastBefore(batch, next.to))
  }

  async function untilReleased(waiting: Promise<void>): Promise<void> {
    let release!: () => void
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    releases.add(release)
    await Promise.race([waiting, released])
    releases.delete(release)
  }

  function seek({ topic, partition }: TopicPartition, position: Position): void {
    whileRunning(() => consumer.seek({ topic, partition, offset: String(position) }))
  }

  async function stop(): Promise<void> {
    isStopped = true
    for (const release of releases) release()
    // a member can leave only after its join; otherwise the others wait until its session ends
    if (joins.isJoining && starting !== undefined)
      await withTimeout(
        starting.catch(() => undefined),
        JOIN_TIMEOUT_MS,
        clock
      )
    await consumer.disconnect()
  }
}

/** Method of a coordinator that kafkajs does not declare. */
interface Leaving {
  readonly leaveGroup: (member: { readonly groupId: string; readonly memberId: string }) => Promise<unknown>
}

/**
 * Calls kafkajs. Between a crash and the event that reports the crash, kafkajs throws an error. It is ignored: the
 * crash has undone the effect of earlier calls as well.
 */
function whileRunning(call: () => void): void {
  try {
    call()
  } catch (error) {
    if (!String(error).includes('was not initialized')) throw error
  }
}

/** How long `stop` waits for a join. A join ends when all members have joined, up to the rebalance timeout later. */
const JOIN_TIMEOUT_MS = 3000

/**
 * Number of partitions that one fetch can return in full. It bounds the memory of a fetch, however many partitions are
 * assigned. kafkajs requests the partitions in another order each time.
 */
const PARTITIONS_A_FETCH = 4

/**
 * The offset to resolve so that the next fetch begins at `position`. At the end of the batch, this is the last visible
 * offset: kafkajs skips the invisible records that follow.
 */
function lastBefore(batch: Batch, position: Position): string {
  const end = batch.messages.at(-1)
  return end !== undefined && Number(batch.lastOffset()) + 1 === position ? end.offset : String(position - 1)
}

// Explicit, since kafkajs has other defaults if NODE_ENV is "test". kafkajs must not restart by itself: the member
// loses its partitions then, and the sink has to know.
const RUN_RETRY = {
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 1.5,
  maxRetryTime: 2000,
  restartOnFailure: async () => false
}

function partitionsOf(topicPartitions: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  return [...byTopic(topicPartitions)].map(([topic, all]) => ({
    topic,
    partitions: all.map(({ partition }) => partition)
  }))
}
