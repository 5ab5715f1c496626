import type { Position } from '@keystamp/core'
import type { Batch, Cluster, EachBatchPayload, Kafka } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import { byTopic, type Commit, type TopicPartition } from './consumer-port.ts'
import { GroupJoins } from './kafkajs-patches/group-joins.ts'
import { heartbeatWhile } from './heartbeat-while.ts'
import { toKafkaTrouble } from './kafka-errors.ts'
import { type MemberHost, watchMember } from './member-events.ts'
import { fetchedFrom, toRecordBatch } from './kafkajs-records.ts'

/** A member of the group: one life of a kafkajs consumer, between a subscription and a crash or a stop. */
export interface Member {
  /** Resolves after the first join. */
  readonly start: () => Promise<void>
  readonly pause: (partitions: readonly TopicPartition[]) => void
  readonly resume: (partitions: readonly TopicPartition[]) => void
  readonly seek: (place: TopicPartition, position: Position) => void
  /** Stores positions in the generation of the last join. Answers false during a rebalance: nothing was sent then. */
  readonly commit: (commits: readonly Commit[]) => Promise<boolean>
  /** Leaves the group, after a join that is under way. Whatever a handler still waits for is not waited for. */
  readonly stop: () => Promise<void>
}

export interface MemberOptions {
  readonly kafka: Kafka
  readonly settings: KafkaSettings
  readonly clock: Clock
  readonly topics: readonly string[]
  readonly host: MemberHost
  /** The name of a member that could not leave before its connection was lost: it leaves now, or the group would wait for it. */
  readonly former: string | undefined
  /** How often kafkajs tries again until it gives the member up. */
  readonly retries: number
}

/** Makes a member that is not connected yet. */
export function createMember({ kafka, settings, clock, topics, host, former, retries }: MemberOptions): Member {
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
  /** Lets go the handlers that wait. */
  const releases = new Set<() => void>()
  const firstJoin = watchMember(consumer, joins, host, clock)
  let isStopped = false
  let starting: Promise<void> | undefined
  return {
    start: () => (starting ??= start()),
    pause: (places) => whileRunning(() => consumer.pause(partitionsOf(places))),
    resume: (places) => whileRunning(() => consumer.resume(partitionsOf(places))),
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
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await step()
      // stopped while it was on its way: whatever this step has opened is closed again
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
      // it has left, or will be forgotten when its session ends
      if (!toKafkaTrouble(error, 'to let a member leave').passes) throw error
    }
  }

  async function eachBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload
    const { topic, partition } = batch
    const from = fetchedFrom(batch)
    const goOnFrom = (position: Position): void => payload.resolveOffset(lastBefore(batch, position))
    const waiting = host.fetched({ topic, partition, from, toBatch: () => toRecordBatch(batch, from), goOnFrom })
    if (waiting === undefined) return
    await heartbeatWhile(untilReleased(waiting), { clock, everyMs, heartbeat: () => payload.heartbeat() })
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
    // A member that joins is a member of the group when it has joined: only then it can leave, and without that the others wait for its session.
    if (joins.isJoining && starting !== undefined)
      await withTimeout(
        starting.catch(() => undefined),
        JOIN_PATIENCE_MS,
        clock
      )
    await consumer.disconnect()
  }
}

/** kafkajs hands this to assigners, and does not declare it. */
interface Leaving {
  readonly leaveGroup: (member: { readonly groupId: string; readonly memberId: string }) => Promise<unknown>
}

/** Between a crash and its announcement kafkajs refuses to be told anything; what it was told before is void by then, too. */
function whileRunning(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    if (!String(error).includes('was not initialized')) throw error
  }
}

/** A JoinGroup request is answered when all members have joined, which can take as long as the rebalance timeout. */
const JOIN_PATIENCE_MS = 3000

/** So many bring all that they may: a fetch takes as much memory for many partitions as for few. kafkajs asks for them in another order each time. */
const PARTITIONS_A_FETCH = 4

/** The offset to resolve so that the next fetch begins here; for the end of the batch the last visible one, which kafkajs knows to complete. */
function lastBefore(batch: Batch, position: Position): string {
  const end = batch.messages.at(-1)
  return end !== undefined && Number(batch.lastOffset()) + 1 === position ? end.offset : String(position - 1)
}

// said outright: kafkajs has other defaults where NODE_ENV is "test"; and it starts nothing again by itself, since whoever does has
// to know that the partitions were lost meanwhile
const RUN_RETRY = {
  initialRetryTime: 100,
  factor: 0.2,
  multiplier: 1.5,
  maxRetryTime: 2000,
  restartOnFailure: async () => false
}

function partitionsOf(places: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  return [...byTopic(places)].map(([topic, all]) => ({ topic, partitions: all.map(({ partition }) => partition) }))
}
