import type { Consumer } from 'kafkajs'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GroupJoins } from '../../src/kafka/kafkajs-patches/group-joins.ts'
import { type MemberListener, watchMember } from '../../src/kafka/member-events.ts'

describe('a heartbeat', () => {
  // the time between two calls of Date.now() would count as well
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it.each(['HEARTBEAT', 'GROUP_JOIN'])(
    'L5 counts from the time at which its request was sent, even if the process was suspended before %s was reported',
    (event) => {
      const { clock, reportedMs, emit } = watch()
      clock.ms = 1000
      emit('REQUEST', {
        apiName: event === 'HEARTBEAT' ? 'Heartbeat' : 'SyncGroup',
        duration: 40,
        createdAt: Date.now() - 40,
        sentAt: Date.now()
      })
      clock.ms = 60_000
      emit(event, {})

      expect(reportedMs).toEqual([960])
    }
  )

  it('L5 counts from the time at which its request was sent, even if the process was suspended before the answer was reported', () => {
    const { clock, reportedMs, emit } = watch()
    clock.ms = 60_000
    emit('REQUEST', { apiName: 'Heartbeat', duration: 40, createdAt: Date.now() - 59_000, sentAt: Date.now() })
    emit('HEARTBEAT', {})

    expect(reportedMs).toEqual([1000])
  })
})

function watch() {
  const clock = { ms: 0 }
  const reportedMs: number[] = []
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
  const consumer = {
    events,
    on: (name: string, listener: (payload: object) => void) => void emitter.on(name, listener)
  }
  const joins = { listen: () => {}, rebalancing: () => {} }
  const listener = { heartbeat: (sentMs: number) => void reportedMs.push(sentMs), unsubscribedTopics: () => {} }
  void watchMember(
    consumer as unknown as Consumer,
    joins as unknown as GroupJoins,
    listener as unknown as MemberListener,
    {
      now: () => clock.ms
    }
  )
  return { clock, reportedMs, emit: (name: string, payload: object) => void emitter.emit(name, { payload }) }
}
