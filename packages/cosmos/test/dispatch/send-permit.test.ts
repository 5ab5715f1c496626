import { describe, expect, it } from 'vitest'
import { type LateRequest, SendPermit } from '../../src/dispatch/send-permit.ts'
import type { Answer } from '../../src/client/transport.ts'
import { upsertOf } from '../simulation/start-router.ts'
import { VirtualClock } from '@keystamp/testkit'

describe('a permit to send', () => {
  it('L5 reports a request if its process was suspended beyond its session between the check and the write', () => {
    const { permit, reported, world, fences } = open()
    expect(permit.isGiven()).toBe(true)
    world.nowMs += 9000
    world.maySend = false
    permit.wasWritten('id-1')

    expect(reported).toEqual([{ rangeId: '7', activityId: 'id-1', stage: 'written', lateMs: 9000, fences }])
  })

  it('L5 includes the time of its check in the reported lateness of a request', () => {
    const { permit, reported, world } = open(() => {
      world.nowMs += 9000
      return true
    })
    expect(permit.isGiven()).toBe(true)
    world.mayAsk = () => false
    permit.wasWritten('id-1')

    expect(reported).toMatchObject([{ stage: 'written', lateMs: 9000 }])
  })

  it('L5 reports only the moved partitions of a late request', () => {
    const { permit, reported, world, fences } = open()
    permit.isGiven()
    world.nowMs += 200
    fences[1].isLost = true
    permit.wasWritten('id-1')

    expect(reported).toMatchObject([{ stage: 'written', fences: [fences[1]] }])
  })

  it('L5 reports a request that was written in time and answered after its partition had moved', () => {
    const { permit, reported, world, fences } = open()
    permit.isGiven()
    permit.wasWritten('id-1')
    world.nowMs += 1500
    fences[0].isLost = true
    permit.wasAnswered('id-1', ANSWERED)

    expect(reported).toMatchObject([{ stage: 'answered', lateMs: 1500, fences: [fences[0]] }])
  })

  it('L5 reports a response that came during a rebalance only after the rebalance, with the partitions that have moved', async () => {
    const { permit, reported, world, fences, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', ANSWERED)
    await clock.runUntil(() => false, 5000)
    expect(reported).toEqual([])

    fences[1].isLost = true
    world.maySend = true
    await clock.runUntil(() => false, 6000)
    expect(reported).toMatchObject([{ stage: 'answered', lateMs: 1500, fences: [fences[1]] }])
  })

  it('does not report a response that came during a rebalance if the rebalance does not move its partitions', async () => {
    const { permit, reported, world, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', ANSWERED)
    world.maySend = true
    await clock.runUntil(() => false, 100_000)

    expect(reported).toEqual([])
  })

  it('L5 reports a response with all its partitions if it is still unknown after a minute whether they have moved', async () => {
    const { permit, reported, world, fences, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', ANSWERED)
    await clock.runUntil(() => false, 100_000)

    expect(reported).toMatchObject([{ stage: 'answered', lateMs: 1500, fences }])
  })

  it('L5 reports each request without a response, with all its partitions, even if its permission is still valid', () => {
    const { permit, reported, world, fences } = open()
    permit.isGiven()
    permit.wasWritten('id-1')
    world.nowMs += 2000
    permit.wasAnswered('id-1', UNANSWERED)

    expect(reported).toEqual([{ rangeId: '7', activityId: 'id-1', stage: 'unanswered', lateMs: 2000, fences }])
  })

  it('L5 reports a request without a response even if it was already reported as written late', () => {
    const { permit, reported, world } = open()
    permit.isGiven()
    world.nowMs += 200
    world.maySend = false
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', UNANSWERED)

    expect(reported.map(({ stage }) => stage)).toEqual(['written', 'unanswered'])
  })

  it.each([408, 500, 503])(
    'L5 reports a request that was answered with %i, which may be applied after its retry',
    (status) => {
      const { permit, reported, world, fences } = open()
      permit.isGiven()
      permit.wasWritten('id-1')
      world.nowMs += 2000
      permit.wasAnswered('id-1', {
        kind: 'refused',
        status,
        subStatus: 0,
        retryAfterMs: undefined,
        chargeRu: 0,
        activityId: undefined
      })

      expect(reported).toEqual([{ rangeId: '7', activityId: 'id-1', stage: 'unknown', lateMs: 2000, fences }])
    }
  )

  it('L5 reports only those operations of a response whose outcome is unknown', () => {
    const { permit, reported, fences } = open()
    permit.isGiven()
    permit.wasAnswered('id-1', { kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 408 }] })

    expect(reported).toMatchObject([{ stage: 'unknown', fences: [fences[1]] }])
  })

  it('L5 reports each operation with an unknown outcome, and each other operation whose partition has moved', () => {
    const { permit, reported, world, fences } = open()
    permit.isGiven()
    world.nowMs += 1500
    fences[0].isLost = true
    permit.wasAnswered('id-1', { kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 503 }] })

    expect(reported).toMatchObject([
      { stage: 'unknown', fences: [fences[1]] },
      { stage: 'answered', fences: [fences[0]] }
    ])
  })

  it.each([429, 449, 412, 410])(
    'does not report a response with %i, after which Cosmos DB applies nothing',
    (statusCode) => {
      const { permit, reported } = open()
      permit.isGiven()
      permit.wasAnswered('id-1', { kind: 'answered', operations: [{ statusCode }, { statusCode }] })

      expect(reported).toEqual([])
    }
  )

  it('reports a request only once, even if it was written late and then answered', () => {
    const { permit, reported, world } = open()
    permit.isGiven()
    world.nowMs += 200
    world.maySend = false
    permit.wasWritten('id-1')
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', ANSWERED)

    expect(reported).toHaveLength(1)
  })

  it('reports neither a slow request whose permission was still valid nor a request that was sent directly after the check', () => {
    const { permit, reported, world, fences } = open()
    permit.isGiven()
    world.nowMs += 60_000
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', ANSWERED)
    permit.isGiven()
    world.nowMs += 5
    fences[0].isLost = true
    permit.wasWritten('id-2')
    permit.wasAnswered('id-2', ANSWERED)

    expect(reported).toEqual([])
  })

  it('is not given again after one of its operations is fenced', () => {
    const { permit, fences } = open()
    expect(permit.isGiven()).toBe(true)
    fences[1].isLost = true

    expect(permit.isGiven()).toBe(false)
  })
})

const ANSWERED: Answer = { kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 201 }] }
const UNANSWERED: Answer = { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }

function open(mayAsk?: () => boolean) {
  const world = { nowMs: 1000, maySend: true, mayAsk: mayAsk ?? ((): boolean => world.maySend) }
  const clock = new VirtualClock()
  const fences = [{ isLost: false }, { isLost: false }]
  const operations = ['a', 'b'].map((id, index) => {
    const pending = upsertOf(id)
    pending.fence = fences[index]
    return pending
  })
  const reported: LateRequest[] = []
  const permit = new SendPermit({
    rangeId: '7',
    operations,
    clock: { now: () => world.nowMs, scheduleIdly: clock.scheduleIdly },
    maySend: () => world.mayAsk(),
    onLate: (late) => reported.push(late)
  })
  return { permit, reported, world, fences, clock }
}
