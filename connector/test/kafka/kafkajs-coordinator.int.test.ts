import { toPosition } from '@keystamp/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { Commit, Consumer } from '../../src/kafka/consumer-port.ts'
import { createKafkajsClient } from '../../src/kafka/kafka-client.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { readCommitted } from '../../src/kafka/start-positions.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { type Listening, listenTo } from './listening.ts'
import { QUIET } from './quiet-log.ts'
import { ScriptedBrokers } from './scripted-brokers.ts'

const WAIT = { timeout: 10_000, interval: 20 }
const brokers: ScriptedBrokers[] = []
const consumers: Consumer[] = []

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()))
  for (const one of brokers.splice(0)) one.remove()
})

describe('a member whose coordinator moves to another broker', () => {
  it.each([
    ['the broker of the former coordinator is gone', (cluster: ScriptedBrokers) => cluster.kill(3)],
    [
      'the former coordinator does not answer, and its connection stays open',
      (cluster: ScriptedBrokers) => cluster.freeze(3)
    ],
    ['the broker of the former coordinator still runs', () => {}]
  ])('L5 commits to the new coordinator in the same generation if %s', async (_, disturb) => {
    const { cluster, member } = await join()
    await commit(member, 1)

    disturb(cluster)
    cluster.coordinator = 2

    await expect.poll(() => commit(member, 2).catch(() => []), WAIT).toHaveLength(1)
    expect(cluster.commits).toEqual([
      { node: 3, generation: 1, offset: '1' },
      { node: 2, generation: 1, offset: '2' }
    ])
    expect(member.assignments).toHaveLength(1)
  })

  it.each([
    ['is gone', (cluster: ScriptedBrokers) => cluster.kill(3)],
    ['does not answer', (cluster: ScriptedBrokers) => cluster.freeze(3)],
    ['still runs', () => {}]
  ])('stays in its group, without joining again, if the former coordinator %s', async (_, disturb) => {
    const { cluster, member } = await join()
    await expect.poll(() => cluster.heartbeats.at(-1), WAIT).toBe(3)

    disturb(cluster)
    cluster.coordinator = 2

    await expect.poll(() => cluster.heartbeats.at(-1), WAIT).toBe(2)
    expect({ joins: cluster.joins, assignments: member.assignments.length }).toEqual({ joins: 1, assignments: 1 })
    expect(member.failures).toEqual([])
  })

  it('continues to fetch and commits if the former coordinator disappears directly after the join', async () => {
    const { cluster, member } = await join((made) => {
      made.onSynced = () => {
        made.kill(3)
        made.coordinator = 2
      }
    })

    await expect.poll(() => commit(member, 1).catch(() => []), WAIT).toHaveLength(1)
    const before = cluster.fetches
    await expect.poll(() => cluster.fetches, WAIT).toBeGreaterThan(before + 2)
    expect({ commits: cluster.commits, joins: cluster.joins }).toEqual({
      commits: [{ node: 2, generation: 1, offset: '1' }],
      joins: 1
    })
  })

  it('commits as soon as the group has a coordinator again', async () => {
    const { cluster, member } = await join()

    cluster.kill(3)
    await expect(commit(member, 1)).rejects.toMatchObject({ code: 'KAFKA_UNAVAILABLE' })
    expect(member.assignments).toHaveLength(1)
    cluster.coordinator = 1

    await expect.poll(() => commit(member, 1).catch(() => []), WAIT).toHaveLength(1)
    expect(cluster.commits).toEqual([{ node: 1, generation: 1, offset: '1' }])
  })

  it('commits to the former broker if that comes back as the coordinator', async () => {
    const { cluster, member } = await join()

    cluster.kill(3)
    await expect(commit(member, 1)).rejects.toMatchObject({ code: 'KAFKA_UNAVAILABLE' })
    cluster.restart(3)

    await expect.poll(() => commit(member, 1).catch(() => []), WAIT).toHaveLength(1)
    expect(cluster.commits).toEqual([{ node: 3, generation: 1, offset: '1' }])
  })

  it('L5 stores nothing, and joins again, if the new coordinator has another generation', async () => {
    const { cluster, member } = await join()

    cluster.kill(3)
    cluster.coordinator = 2
    cluster.generation = 7

    expect(await commit(member, 1)).toEqual([])
    expect(cluster.commits).toEqual([])
    await expect.poll(() => member.assignments.length, WAIT).toBe(2)
    await expect.poll(() => commit(member, 1), WAIT).toHaveLength(1)
    expect(cluster.commits).toEqual([{ node: 2, generation: 8, offset: '1' }])
  })

  it('sends LeaveGroup to the new coordinator', async () => {
    const { cluster, member } = await join()

    cluster.kill(3)
    cluster.coordinator = 2
    await member.consumer.stop()

    expect(cluster.left).toEqual([2])
  })
})

describe('the admin client', () => {
  it('reads the stored offsets after all brokers have got new addresses', async () => {
    const cluster = new ScriptedBrokers(3, 3)
    brokers.push(cluster)
    const settings = kafkaSettings(cluster.address, 'group', [cluster.topic])
    const admin = createKafkajsClient(settings, { clock: MACHINE_CLOCK, log: QUIET }).admin()
    const partition = { topic: cluster.topic, partition: 0 }
    await admin.connect()
    await readCommitted(admin, 'group', [partition])

    cluster.move()

    await expect(readCommitted(admin, 'group', [partition])).rejects.toThrow('ECONNREFUSED')
    expect(await readCommitted(admin, 'group', [partition])).toMatchObject([partition])
    await admin.disconnect()
  })
})

/** A member of a group whose coordinator is the third of three brokers. */
async function join(
  prepare: (cluster: ScriptedBrokers) => void = () => {}
): Promise<{ readonly cluster: ScriptedBrokers; readonly member: Listening }> {
  const cluster = new ScriptedBrokers(3, 3)
  brokers.push(cluster)
  prepare(cluster)
  const settings = kafkaSettings(cluster.address, 'group', [cluster.topic], { heartbeatMs: 100 })
  const consumer = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
  consumers.push(consumer)
  return { cluster, member: await listenTo(consumer) }
}

function commit({ consumer }: Listening, offset: number): Promise<readonly Commit[]> {
  return consumer.commit([{ topic: 'scripted', partition: 0, position: toPosition(offset), metadata: '' }])
}
