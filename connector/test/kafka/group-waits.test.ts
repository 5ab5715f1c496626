import { describe, expect, it } from 'vitest'
import { createKafkaWaits } from '../../src/kafka/group-waits.ts'

describe('the waits for Kafka', () => {
  it('are empty while heartbeats are answered and offsets are stored', () => {
    expect(begin().kafka.waits).toEqual([])
  })

  it('include a join of the group and a rebalance', () => {
    expect(begin({ isMember: false, isJoining: true }).kafka.waits).toMatchObject([
      { detail: 'joining the consumer group' }
    ])
    expect(begin({ isRebalancing: true }).kafka.waits).toMatchObject([{ detail: 'a rebalance of the consumer group' }])
  })

  it('include a missing heartbeat after half of the session timeout, but not before the join', () => {
    const silent = { nowMs: 5000, lastHeartbeatMs: 0 }

    expect(begin(silent).kafka.waits).toEqual([
      { reason: 'kafka', subject: 'heartbeat', detail: 'no heartbeat was answered for 5 s', sinceMs: 0 }
    ])
    expect(begin({ ...silent, nowMs: 4999 }).kafka.waits).toEqual([])
    expect(begin({ ...silent, isMember: false }).kafka.waits).toEqual([])
  })

  it('include a failed commit until a commit is stored or nothing is left to commit', () => {
    const { kafka, world } = begin()
    kafka.failed(new Error('Kafka failed to commit offsets: ECONNREFUSED.'))
    world.nowMs = 3000
    kafka.failed(new Error('Kafka failed to commit offsets: timeout.'))
    expect(kafka.waits).toMatchObject([
      {
        subject: 'commit',
        detail: 'offset commit failed, retrying: Kafka failed to commit offsets: timeout',
        sinceMs: 1000
      }
    ])
    world.storedMs = 3500
    expect(kafka.waits).toEqual([])

    kafka.failed(new Error('again'))
    world.storedMs = 0
    expect(kafka.waits).toHaveLength(1)
    world.isStoring = false
    expect(kafka.waits).toEqual([])
  })
})

interface World {
  nowMs: number
  lastHeartbeatMs: number
  isRebalancing: boolean
  isJoining: boolean
  isStoring: boolean
  storedMs: number
  isMember: boolean
}

function begin(changes: Partial<World> = {}) {
  const world: World = {
    nowMs: 1000,
    lastHeartbeatMs: 1000,
    isRebalancing: false,
    isJoining: false,
    isStoring: true,
    storedMs: 0,
    isMember: true,
    ...changes
  }
  const kafka = createKafkaWaits({
    clock: { now: () => world.nowMs },
    consumer: { sessionTimeoutMs: 10_000, lastHeartbeatMs: world.lastHeartbeatMs },
    isRebalancing: () => world.isRebalancing,
    isMember: () => world.isMember,
    isJoining: () => world.isJoining,
    storedMs: () => world.storedMs,
    isStoring: () => world.isStoring
  })
  return { kafka, world }
}
