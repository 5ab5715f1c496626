import type { Consumer } from 'kafkajs'
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { GroupJoins } from '../../src/kafka/kafkajs-patches/group-joins.ts'
import { type MemberHost, watchMember } from '../../src/kafka/member-events.ts'

describe('a heartbeat', () => {
  it.each(['HEARTBEAT', 'GROUP_JOIN'])(
    'L5 counts from when its request was sent, also where the process was suspended before %s was reported',
    (told) => {
      const { clock, heardMs, emit } = watch()
      clock.ms = 1000
      emit('REQUEST', {
        apiName: told === 'HEARTBEAT' ? 'Heartbeat' : 'SyncGroup',
        duration: 40,
        createdAt: Date.now() - 40,
        sentAt: Date.now()
      })
      clock.ms = 60_000
      emit(told, {})

      expect(heardMs).toHaveLength(1)
      expect(heardMs[0]).toBeGreaterThan(900)
      expect(heardMs[0]).toBeLessThanOrEqual(960)
    }
  )

  it('L5 counts from when its request was sent, also where the process was suspended before the answer was reported', () => {
    const { clock, heardMs, emit } = watch()
    clock.ms = 60_000
    emit('REQUEST', { apiName: 'Heartbeat', duration: 40, createdAt: Date.now() - 59_000, sentAt: Date.now() })
    emit('HEARTBEAT', {})

    expect(heardMs[0]).toBeLessThanOrEqual(1000)
  })
})

function watch() {
  const clock = { ms: 0 }
  const heardMs: number[] = []
  const emitter = new EventEmitter()
  const events = {
    REQUEST: 'REQUEST',
    HEARTBEAT: 'HEARTBEAT',
    GROUP_JOIN: 'GROUP_JOIN',
    CRASH: 'CRASH',
    REBALANCING: 'REBALANCING',
    RECEIVED_UNSUBSCRIBED_TOPICS: 'RECEIVED_UNSUBSCRIBED_TOPICS',
    START_BATCH_PROCESS: 'START_BATCH_PROCESS'
  }
  const consumer = { events, on: (name: string, hear: (event: object) => void) => void emitter.on(name, hear) }
  const joins = { listen: () => {}, rebalancing: () => {} }
  const host = { heartbeat: (sentMs: number) => void heardMs.push(sentMs), unsubscribedTopics: () => {} }
  void watchMember(consumer as unknown as Consumer, joins as unknown as GroupJoins, host as unknown as MemberHost, {
    now: () => clock.ms
  })
  return { clock, heardMs, emit: (name: string, payload: object) => void emitter.emit(name, { payload }) }
}
