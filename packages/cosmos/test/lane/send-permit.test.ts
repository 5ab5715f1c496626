import { describe, expect, it } from 'vitest'
import { type LateRequest, SendPermit } from '../../src/lane/send-permit.ts'
import { upsertOf } from '../simulation/start-router.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

describe('a permit to send', () => {
  it('L5 tells of a request whose process stood still past its session between the question and the write', () => {
    const { permit, told, world, fences } = open()
    expect(permit.isGiven()).toBe(true)
    world.nowMs += 9000
    world.maySend = false
    permit.wasWritten('id-1')

    expect(told).toEqual([{ rangeId: '7', activityId: 'id-1', stage: 'written', lateMs: 9000, fences }])
  })

  it('L5 counts the time in which the question itself was answered', () => {
    const { permit, told, world } = open(() => {
      world.nowMs += 9000
      return true
    })
    expect(permit.isGiven()).toBe(true)
    world.mayAsk = () => false
    permit.wasWritten('id-1')

    expect(told).toMatchObject([{ stage: 'written', lateMs: 9000 }])
  })

  it('L5 names the partitions that moved, and no others', () => {
    const { permit, told, world, fences } = open()
    permit.isGiven()
    world.nowMs += 200
    fences[1].isLost = true
    permit.wasWritten('id-1')

    expect(told).toMatchObject([{ stage: 'written', fences: [fences[1]] }])
  })

  it('L5 tells of a request that was written in time and answered after its partition had moved', () => {
    const { permit, told, world, fences } = open()
    permit.isGiven()
    permit.wasWritten('id-1')
    world.nowMs += 1500
    fences[0].isLost = true
    permit.wasAnswered('id-1', true)

    expect(told).toMatchObject([{ stage: 'answered', lateMs: 1500, fences: [fences[0]] }])
  })

  it('L5 names what has moved once a rebalance has ended that was under way when the answer came', async () => {
    const { permit, told, world, fences, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', true)
    await clock.runUntil(() => false, 5000)
    expect(told).toEqual([])

    fences[1].isLost = true
    world.maySend = true
    await clock.runUntil(() => false, 6000)
    expect(told).toMatchObject([{ stage: 'answered', lateMs: 1500, fences: [fences[1]] }])
  })

  it('tells nothing of an answer during a rebalance that leaves its partitions where they are', async () => {
    const { permit, told, world, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', true)
    world.maySend = true
    await clock.runUntil(() => false, 100_000)

    expect(told).toEqual([])
  })

  it('L5 names all partitions of an answer where a minute later nobody knows whether they have moved', async () => {
    const { permit, told, world, fences, clock } = open()
    permit.isGiven()
    world.maySend = false
    world.nowMs += 1500
    permit.wasAnswered('id-1', true)
    await clock.runUntil(() => false, 100_000)

    expect(told).toMatchObject([{ stage: 'answered', lateMs: 1500, fences }])
  })

  it('L5 tells of each request without an answer, with all its partitions, also where its permission lasts', () => {
    const { permit, told, world, fences } = open()
    permit.isGiven()
    permit.wasWritten('id-1')
    world.nowMs += 2000
    permit.wasAnswered('id-1', false)

    expect(told).toEqual([{ rangeId: '7', activityId: 'id-1', stage: 'unanswered', lateMs: 2000, fences }])
  })

  it('L5 tells of a request without an answer, though it was written late and told of before', () => {
    const { permit, told, world } = open()
    permit.isGiven()
    world.nowMs += 200
    world.maySend = false
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', false)

    expect(told.map(({ stage }) => stage)).toEqual(['written', 'unanswered'])
  })

  it('tells of an answered request once', () => {
    const { permit, told, world } = open()
    permit.isGiven()
    world.nowMs += 200
    world.maySend = false
    permit.wasWritten('id-1')
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', true)

    expect(told).toHaveLength(1)
  })

  it('tells of none that took long while its permission lasted, nor of one that left at once', () => {
    const { permit, told, world, fences } = open()
    permit.isGiven()
    world.nowMs += 60_000
    permit.wasWritten('id-1')
    permit.wasAnswered('id-1', true)
    permit.isGiven()
    world.nowMs += 5
    fences[0].isLost = true
    permit.wasWritten('id-2')
    permit.wasAnswered('id-2', true)

    expect(told).toEqual([])
  })

  it('is not given again once one of its operations is fenced', () => {
    const { permit, fences } = open()
    expect(permit.isGiven()).toBe(true)
    fences[1].isLost = true

    expect(permit.isGiven()).toBe(false)
  })
})

function open(mayAsk?: () => boolean) {
  const world = { nowMs: 1000, maySend: true, mayAsk: mayAsk ?? ((): boolean => world.maySend) }
  const clock = new VirtualClock()
  const fences = [{ isLost: false }, { isLost: false }]
  const operations = ['a', 'b'].map((id, index) => {
    const pending = upsertOf(id)
    pending.fence = fences[index]
    return pending
  })
  const told: LateRequest[] = []
  const permit = new SendPermit({
    rangeId: '7',
    operations,
    clock: { now: () => world.nowMs, scheduleIdly: clock.scheduleIdly },
    maySend: () => world.mayAsk(),
    onLate: (late) => told.push(late)
  })
  return { permit, told, world, fences, clock }
}
