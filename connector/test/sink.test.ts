import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type OutOfRange, partitionName, readMetadata, writeMetadata } from '../src/kafka/consumer-port.ts'
import { createOne, startOne } from './simulation/start-one.ts'
import { turn } from './simulation/virtual-clock.ts'

describe('a sink that owns several partitions', () => {
  it('L6 pauses a partition whose memory share is used up', async () => {
    const { clock, deliver, listener, paused } = await startOne()
    listener().assigned([0, 1].map((partition) => ({ topic: 'things', partition })))
    await clock.runUntil(10)
    // more than half of the memory, and less than all of it
    deliver(0, 12)

    expect(paused).toEqual([partitionName({ topic: 'things', partition: 0 })])
  })
})

describe('a sink whose partitions may have moved', () => {
  it('L5 sends nothing between the end of its session and the next heartbeat', async () => {
    const { clock, live, maySend } = await startOne()
    expect(maySend()).toBe(true)

    live.isSilent = true
    await clock.runUntil(1100)
    expect(maySend()).toBe(false)

    live.isSilent = false

    expect(maySend()).toBe(true)
  })

  it('L5 sends nothing from the exact end of its session on', async () => {
    const { clock, live, maySend } = await startOne()
    live.isSilent = true
    await clock.runUntil(999)
    expect(maySend()).toBe(true)

    await clock.runUntil(1000)

    expect(maySend()).toBe(false)
  })

  it('L5 counts a late request by the partitions of its records, and logs it', async () => {
    const { sink, deliver, fences, onLate, lines } = await startOne()
    deliver(0, 1)

    onLate({ rangeId: '0', activityId: 'a-1', stage: 'written', lateMs: 9000, fences })

    expect(sink.stats().lateRequests).toEqual([{ topic: 'things', partition: 0, stage: 'written', count: 1 }])
    expect(lines.filter((line) => line.startsWith('warn late request:'))).toHaveLength(1)
  })

  it.each([
    ['does not report a clean shutdown while the request is unresolved', 499, false],
    ['reports a clean shutdown once the request is resolved', 500, true]
  ])('L5 stops after a request without an answer: %s', async (_what, waitMs, hasLeft) => {
    const { sink, clock, deliver, fences, answers, onLate, committed } = await startOne()
    deliver(0, 1)
    onLate({ rangeId: '0', activityId: 'a-1', stage: 'unanswered', lateMs: 500, fences })
    const givenUpMs = clock.now()
    answers[0]()
    await clock.runUntil(givenUpMs + waitMs)

    const stopped = sink.stop()
    await turn()
    await clock.runUntil(givenUpMs + waitMs)
    await stopped

    expect(committed()).toEqual({ position: 1, hasLeft })
  })

  it('L5 sends nothing from the beginning of a rebalance until the stored offsets show which member committed last', async () => {
    const { maySend, listener, ask, commits } = await startOne()
    listener().rebalancing()
    expect(maySend()).toBe(false)

    const answer = ask()
    listener().assigned([{ topic: 'things', partition: 0 }])
    await turn()
    expect(maySend()).toBe(false)

    answer(commits.at(-1)!)
    await turn()
    expect(maySend()).toBe(true)
  })

  it('L5 commits nothing at its interval between the end of a rebalance and the answer with the stored offsets', async () => {
    const { clock, deliver, answers, listener, ask, commits } = await startOne()
    deliver(0, 3)
    const claim = commits.at(-1)!
    listener().rebalancing()
    const answer = ask()
    listener().assigned([{ topic: 'things', partition: 0 }])
    for (const settle of answers) settle()
    const before = commits.length
    await clock.runUntil(1000)
    expect(commits).toHaveLength(before)

    answer(claim)
    await clock.runUntil(2000)
    expect(commits.at(-1)).toMatchObject({ position: 3 })
  })

  it('L5 withdraws requests of partitions that another member has claimed meanwhile, and waits for the handover period', async () => {
    const { clock, deliver, fences, listener, ask, commits } = await startOne()
    deliver(0, 3)
    listener().rebalancing()
    const answer = ask()
    listener().assigned([{ topic: 'things', partition: 0 }])
    const before = commits.length

    answer({
      ...commits.at(-1)!,
      position: toPosition(7),
      metadata: writeMetadata({ plan: 'plan-1', by: 'another', hasLeft: false })
    })
    await turn()
    expect(fences.map(({ isLost }) => isLost)).toEqual([true, true, true])
    await clock.runUntil(clock.now() + 59)
    expect(commits).toHaveLength(before)

    await clock.runUntil(clock.now() + 10)
    expect(commits.slice(before)).toMatchObject([{ position: 7 }])
  })
})

describe('a sink that waits for Cosmos DB while it runs', () => {
  it('logs the wait, and is stopped by the stall watch once the reason is gone', async () => {
    const { sink, clock, deliver, waits, lines } = await startOne()
    deliver(0, 3)
    waits.push({ reason: 'cosmos', detail: 'the last answer was 503' })
    await clock.runUntil(30_000)
    expect(sink.state).toBe('running')
    expect(sink.stats().waits).toMatchObject([{ reason: 'cosmos' }])
    expect(lines).toContain('warn wait started: Cosmos DB: the last answer was 503')

    waits.length = 0
    await clock.runUntil(60_000)

    expect(await sink.ended).toMatchObject({ state: 'failed', error: { code: 'SINK_STALLED' } })
    expect(lines).toContainEqual(expect.stringMatching(/^info wait ended: Cosmos DB, after \d+ s$/))
  })

  it('names every wait in the error of a shutdown that took too long', async () => {
    const { sink, clock, deliver, waits } = await startOne()
    deliver(0, 1)
    waits.push(
      { reason: 'cosmos', detail: 'the last answer was 503' },
      { reason: 'throttled', detail: 'nothing got through' }
    )
    void sink.stop()
    await clock.runUntil(20_000)

    expect((await sink.ended).error?.message).toContain(
      '(waiting for Cosmos DB: the last answer was 503; request units: nothing got through)'
    )
  })
})

describe('a sink that gains a partition without a stored offset', () => {
  it('commits the first offset before any record, with the number of partitions', async () => {
    const { sink, ask, clock, commits, listener } = createOne()
    const answer = ask()
    await sink.start()
    answer({ topic: 'things', partition: 0, position: undefined, metadata: '', initialPartitions: 4 })
    await clock.runUntil(10)
    expect(commits).toEqual([])

    listener().learned([{ topic: 'things', partition: 0, position: toPosition(300) }])
    await clock.runUntil(20)

    expect(commits).toMatchObject([{ position: 300 }])
    expect(readMetadata(commits[0].metadata)).toMatchObject({ plan: 'plan-1', partitions: 4 })
  })

  it('commits the first offset even if it is known before the stored offsets', async () => {
    const { sink, ask, clock, commits, listener } = createOne()
    const answer = ask()
    await sink.start()
    listener().learned([{ topic: 'things', partition: 0, position: toPosition(300) }])
    answer({ topic: 'things', partition: 0, position: undefined, metadata: '' })
    await clock.runUntil(20)

    expect(commits).toMatchObject([{ position: 300 }])
  })
})

describe('a sink whose next offset is out of range', () => {
  const PARTITION = { topic: 'things', partition: 0 }
  const range = (from: number, to: number, low: number, high: number): OutOfRange => ({
    ...PARTITION,
    from: toPosition(from),
    to: toPosition(to),
    low: toPosition(low),
    high: toPosition(high)
  })

  it('L1 continues after the lost records, and commits the offset after them with its own metadata', async () => {
    const { clock, deliver, answers, listener, commits } = await startOne()
    const claim = commits.at(-1)!

    expect(listener().outOfRange(range(0, 200, 200, 300))).toBe(200)
    await clock.runUntil(20)
    expect(commits.at(-1)).toEqual({ ...claim, position: 200 })
    deliver(200, 203)
    expect(answers).toHaveLength(3)
  })

  it('L1 commits past lost records only when the records before them have their outcomes', async () => {
    const { clock, deliver, answers, fences, listener, commits } = await startOne()
    deliver(0, 3)
    answers[0]()

    listener().outOfRange(range(3, 200, 200, 300))
    await clock.runUntil(10_000)
    expect(commits.at(-1)).toMatchObject({ position: 1 })
    expect(fences.some(({ isLost }) => isLost)).toBe(false)

    for (const settle of answers.slice(1)) settle()
    await clock.runUntil(20_000)
    expect(commits.at(-1)).toMatchObject({ position: 200 })
  })

  it('continues after the records that it has taken if only the stored offset is out of range', async () => {
    const { deliver, listener } = await startOne()
    deliver(0, 250)

    expect(listener().outOfRange(range(0, 300, 200, 300))).toBe(250)
  })

  it('L1 withdraws the records in flight if the topic was created again, and begins at the new offset', async () => {
    const { clock, deliver, answers, fences, listener, commits } = await startOne()
    deliver(0, 10)

    expect(listener().outOfRange(range(10, 0, 0, 5))).toBe(0)
    await clock.runUntil(20)
    expect(fences.every(({ isLost }) => isLost)).toBe(true)
    for (const settle of answers) settle()
    await clock.runUntil(10_000)
    expect(commits.at(-1)).toMatchObject({ position: 0 })

    deliver(0, 3)
    expect(answers).toHaveLength(13)
  })
})

describe('the counter of commits', () => {
  it('counts claims, which store offsets as well', async () => {
    const { sink, clock, deliver, answers } = await startOne()
    expect(sink.stats()).toMatchObject({ commits: 1 })

    deliver(0, 1)
    answers[0]()
    await clock.runUntil(10_000)

    expect(sink.stats().commits).toBe(2)
  })
})
