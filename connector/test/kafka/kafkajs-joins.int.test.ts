import { toPosition } from '@keystamp/core'
import { expect, describe, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { type Commit, type ConsumerListener, partitionName } from '../../src/kafka/consumer-port.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { deferred } from '../simulation/deferred.ts'
import { openConsumerFixture, type OwnTopic } from './contract/consumer-fixture.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { QUIET } from './quiet-log.ts'
import {
  forbidden,
  illegalGeneration,
  loseAnswer,
  rebalanceInProgress,
  script,
  type Scripted,
  scriptOnce,
  timedOut
} from './scripted-requests.ts'

const { isMissing, why, ...shared } = await sharedKafka()
const WAIT = { timeout: 15_000, interval: 20 }

describe.skipIf(isMissing)(`a join of kafkajs${why}`, () => {
  const { newTopic } = openConsumerFixture({
    ...shared,
    create: (settings) => createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
  })

  it('L5 is reported as a loss of all partitions if the group began another generation before SyncGroup was answered', async () => {
    const { topic, join } = await newTopic()
    const member = await join()

    scriptOnce('syncGroup', () => Promise.reject(rebalanceInProgress()))
    rejoin()

    await expect.poll(() => member.assignments, WAIT).toEqual([[`${topic}/0`], [], [`${topic}/0`]])
  })

  it('L5 is reported as a loss of all partitions if the answer to JoinGroup was lost', async () => {
    const { topic, join } = await newTopic()
    const member = await join()

    scriptOnce('joinGroup', loseAnswer)
    rejoin()

    await expect.poll(() => member.assignments, WAIT).toEqual([[`${topic}/0`], [], [`${topic}/0`]])
  })

  it('L5 is repeated if the answer to SyncGroup was lost, instead of continuing with the former assignment', async () => {
    const { kafka, topic, join } = await newTopic()
    const member = await join()

    scriptOnce('syncGroup', loseAnswer)
    rejoin()

    await expect.poll(() => member.assignments, WAIT).toEqual([[`${topic}/0`], [], [`${topic}/0`]])
    await kafka.produce(topic, [{ value: 'read on' }])
    await member.untilValues(1)
    await expect.poll(() => member.commitAll(), WAIT).toHaveLength(1)
  })

  it('is reported as one assignment if nothing fails', async () => {
    const { topic, join } = await newTopic()
    const member = await join()

    rejoin()

    await expect.poll(() => member.assignments, WAIT).toEqual([[`${topic}/0`], [`${topic}/0`]])
  })

  it('L5 is reported as a rebalance before its JoinGroup request is sent, even if kafkajs does not report it', async () => {
    const own = await newTopic()
    const steps: string[] = []
    const restore = noteRequests('joinGroup', steps)
    await own.make().start(stepListener(steps))

    await own.kafka.addPartitions(own.topic, 2)
    await expect.poll(() => steps.at(-1), WAIT).toBe('assigned 0,1')
    restore()

    expect(steps).toEqual(['joinGroup', 'assigned 0', 'rebalancing', 'joinGroup', 'assigned 0,1'])
  })

  it.each(['joinGroup', 'syncGroup'] as const)(
    'is followed by LeaveGroup when the member is stopped before its %s request is answered',
    async (request) => {
      const { make } = await newTopic()
      const steps: string[] = []
      const restores = [noteRequests('leaveGroup', steps)]
      const [asked, held] = [deferred(), deferred()]
      restores.push(
        script(request, async (original) => {
          const answer = await original()
          asked.resolve()
          await held.promise
          return answer
        })
      )
      const consumer = make()
      const started = consumer.start(stepListener(steps))

      await asked.promise
      const stopped = consumer.stop()
      setTimeout(() => held.resolve(), 200)
      await Promise.all([started, stopped])
      for (const restore of restores.toReversed()) restore()

      expect(steps).toEqual(['leaveGroup'])
    }
  )

  it('L5 is followed by a reported rebalance before a member that has crashed leaves its group', async () => {
    const { make } = await newTopic()
    const steps: string[] = []
    await make().start(stepListener(steps))
    const restore = noteRequests('leaveGroup', steps)

    // every heartbeat fails: the first one may be sent while a fetch waits, and then kafkajs does not see its error
    const restoreHeartbeat = script('heartbeat', () => Promise.reject(forbidden()))
    await expect.poll(() => steps.at(-1), WAIT).toBe('failed')
    restoreHeartbeat()
    restore()

    expect(steps).toEqual(['assigned 0', 'rebalancing', 'leaveGroup', 'failed'])
  })
})

describe.skipIf(isMissing)(`a commit over kafkajs${why}`, () => {
  const { newTopic } = openConsumerFixture({
    ...shared,
    create: (settings) => createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
  })

  it('L5 is not sent again in a later generation, when its partition may belong to another member', async () => {
    const own = await newTopic(2)
    const { commit, moved, send } = await commitWhilePartitionsMove(own, () => Promise.reject(timedOut()))

    await expect(commit).rejects.toMatchObject({ code: 'KAFKA_UNAVAILABLE' })

    expect({ sent: send.count, moved: moved.length }).toEqual({ sent: 1, moved: 1 })
    expect(await stored(own)).toEqual([])
  })

  it('L5 is refused by the group if it arrives in a later generation, and reports that nothing was stored', async () => {
    const own = await newTopic(2)
    const { commit } = await commitWhilePartitionsMove(own, (original) => original())

    expect(await commit).toEqual([])

    expect(await stored(own)).toEqual([])
  })

  it('L5 makes its member join again if the group answers that the generation is over', async () => {
    const { topic, make } = await newTopic()
    const steps: string[] = []
    const consumer = make()
    await consumer.start(stepListener(steps))

    scriptOnce('offsetCommit', () => Promise.reject(illegalGeneration()))
    const answer = await consumer.commit([{ topic, partition: 0, position: toPosition(0), metadata: '' }])

    expect({ answer, steps: [...steps] }).toEqual({ answer: [], steps: ['assigned 0', 'rebalancing'] })
    await expect.poll(() => steps, WAIT).toEqual(['assigned 0', 'rebalancing', 'assigned 0'])
  })

  it('L5 is not sent from the beginning of a rebalance until the join has ended', async () => {
    const { topic, join } = await newTopic()
    const member = await join()
    const commits = [{ topic, partition: 0, position: toPosition(0), metadata: 'meanwhile' }]
    const held = deferred()
    const asked = deferred()
    let sent = 0
    const restore = script('offsetCommit', (original) => {
      sent++
      return original()
    })
    scriptOnce('syncGroup', async (original) => {
      asked.resolve()
      await held.promise
      return original()
    })
    scriptOnce('heartbeat', () => Promise.reject(rebalanceInProgress()))

    await asked.promise
    expect(await member.consumer.commit(commits)).toEqual([])
    expect(sent).toBe(0)
    held.resolve()

    await expect.poll(() => member.consumer.commit(commits), WAIT).toEqual(commits)
    restore()
  })
})

describe('the time after which a member without heartbeats may not write', () => {
  it('L5 is the rebalance timeout if that is shorter than the session timeout', () => {
    expect([silentMs(30_000, 5000), silentMs(6000, 10_000)]).toEqual([5000, 6000])
  })
})

function silentMs(sessionTimeoutMs: number, rebalanceTimeoutMs: number): number {
  const settings = kafkaSettings('127.0.0.1:1', 'g', ['t'], { sessionTimeoutMs, rebalanceTimeoutMs })
  return createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET }).sessionTimeoutMs
}

function rejoin(): void {
  scriptOnce('heartbeat', () => Promise.reject(rebalanceInProgress()))
}

/** Records the calls of a listener, in order. */
function stepListener(steps: string[]): ConsumerListener {
  return {
    assigned: (partitions) => void steps.push(`assigned ${partitions.map(({ partition }) => partition).join()}`),
    rebalancing: () => void steps.push('rebalancing'),
    learned: () => {},
    outOfRange: ({ to }) => to,
    received: ({ next }) => next,
    failed: () => void steps.push('failed')
  }
}

function noteRequests(kind: Scripted, steps: string[]): () => void {
  return script(kind, (original) => {
    steps.push(kind)
    return original()
  })
}

interface CommitMeanwhile {
  readonly commit: Promise<readonly Commit[]>
  readonly send: { readonly count: number }
  /** Partitions of the commit that went to the second member. */
  readonly moved: readonly string[]
}

/** Commits both partitions of a member, and holds the request until a second member has joined and owns one of them. */
async function commitWhilePartitionsMove(
  own: OwnTopic,
  then: (original: () => Promise<unknown>) => Promise<unknown>
): Promise<CommitMeanwhile> {
  const { topic, join } = own
  const first = await join()
  const held = deferred()
  const send = { count: 0 }
  const restore = script('offsetCommit', async (original) => {
    if (++send.count > 1) return original()
    await held.promise
    return then(original)
  })
  const commits = [0, 1].map((partition) => ({ topic, partition, position: toPosition(0), metadata: 'too late' }))
  const commit = first.consumer.commit(commits).finally(restore)
  commit.catch(() => {})
  const second = await join()
  await expect.poll(() => [first.assignments.at(-1)?.length, second.assignments.at(-1)?.length], WAIT).toEqual([1, 1])
  held.resolve()
  const kept = new Set(first.assignments.at(-1))
  return { commit, send, moved: commits.map(partitionName).filter((name) => !kept.has(name)) }
}

async function stored({ kafka, topic, group }: OwnTopic): Promise<readonly unknown[]> {
  return (await kafka.committed(group, [topic])).filter(({ metadata }) => metadata === 'too late')
}
