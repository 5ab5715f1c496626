import { CosmosError } from '@keystamp/cosmos'
import { toPosition } from '@keystamp/core'
import { createRandom } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { type OutOfRange, partitionName, readMetadata, writeMetadata } from '../src/kafka/consumer-port.ts'
import type { DeadLetterWriter } from '../src/dead-letter/dead-letter-writer.ts'
import { UnreachableError } from '../src/dead-letter/dead-letter-queue.ts'
import { deferred } from './simulation/deferred.ts'
import { runSimulation } from './simulation/run-simulation.ts'
import { createOne, startOne } from './simulation/start-one.ts'
import { turn } from './simulation/virtual-clock.ts'

const CLEAN = { lost: [], stale: [], rewound: [], movedBack: [], early: [], misjudged: [], failures: [], isFinished: true }
const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 60)

describe('a group of sinks under random schedules', () => {
  it('loses nothing, keeps the newest version of every document, commits nothing early, and copies exactly the invalid records', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const verdict = await runSimulation(createRandom(seed).next)
      expect({ seed, ...verdict }).toEqual({ seed, ...CLEAN })
    }
  }, 900_000)

  it('L5 gives no document an older value than one that was committed, though members miss generations', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const verdict = await runSimulation(createRandom(seed).next, { missShare: 0.5 })
      expect({ seed, ...verdict }).toEqual({ seed, ...CLEAN })
    }
  }, 900_000)
})

describe('a sink that is being stopped', () => {
  it('L10 takes no records after `stop`, and ends when all records in flight are settled', async () => {
    const { sink, clock, deliver, answers, committed } = await startOne()
    deliver(0, 3)
    const stopped = sink.stop()
    deliver(3, 5)
    await clock.runUntil(100)
    expect(answers).toHaveLength(3)
    expect(sink.state).toBe('draining')

    for (const answer of answers) answer()
    await clock.runUntil(200)
    await stopped

    expect(committed()).toEqual({ position: 3, hasLeft: true })
    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
  })

  it('L10 abandons records without an outcome at the deadline, without committing them', async () => {
    const { sink, clock, deliver, answers, committed } = await startOne()
    deliver(0, 3)
    answers[0]()
    void sink.stop()
    await clock.runUntil(20_000)

    expect(committed()).toEqual({ position: 1, hasLeft: false })
    expect(await sink.ended).toMatchObject({ state: 'stopped', error: { code: 'SHUTDOWN_TIMEOUT' } })
    expect((await sink.ended).error?.message).toContain('After 5 s 2 records still had no outcome')
  })

  it('is stopped once it has left its group, and not before', async () => {
    const left = deferred()
    const { sink, clock, lines } = await startOne({ onLeave: () => left.promise })
    void sink.stop()
    await clock.runUntil(100)
    expect(sink.state).toBe('draining')
    const changes = lines.filter((line) => line.includes('changed its state')).length

    left.resolve()
    await sink.ended

    expect(sink.state).toBe('stopped')
    expect(lines.filter((line) => line.includes('changed its state'))).toHaveLength(changes + 1)
  })

  it('ends once, as stopped, where something fails while it leaves its group', async () => {
    const left = deferred()
    let leaves = 0
    const { sink, clock, listener, lines } = await startOne({
      onLeave: () => {
        leaves++
        return left.promise
      }
    })
    void sink.stop()
    await clock.runUntil(100)
    listener().failed(new Error('The broker is gone.'))
    await clock.runUntil(20_000)
    left.resolve()

    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
    expect([sink.state, leaves]).toEqual(['stopped', 1])
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it('commits settled records when it fails, and reports the error', async () => {
    const { sink, clock, deliver, answers, committed } = await startOne()
    deliver(0, 3)
    answers[0]()
    answers[1](new Error('The container is gone.'))
    await clock.runUntil(20_000)

    expect(committed()).toEqual({ position: 1, hasLeft: false })
    expect(await sink.ended).toMatchObject({ state: 'failed', error: { message: 'The container is gone.' } })
  })
})

describe('a sink that cannot write', () => {
  it('takes no partitions from sinks that can', async () => {
    let joined = 0
    const refusal = new Error('There is no such container.')

    await expect(startOne({ refusal, onJoin: () => joined++ })).rejects.toBe(refusal)
    expect(joined).toBe(0)
  })

  it('can be stopped while it waits for Cosmos DB, and has not failed then', async () => {
    const refusal = new CosmosError('COSMOS_UNAVAILABLE', 'No answer from Cosmos DB.', { retriable: true })
    const { sink, clock } = createOne({ refusal })
    const started = sink.start()
    await clock.runUntil(10)
    const stopped = sink.stop()
    await clock.runUntil(20)

    await Promise.all([started, stopped])
    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
    expect(clock.pending).toBe(0)
  })
})

describe('a created sink', () => {
  it('sets no timer before it is started, so that it does not keep the process alive', async () => {
    const { sink, clock } = createOne()
    expect(clock.pending).toBe(0)

    await sink.start()

    expect(clock.pending).toBeGreaterThan(0)
    void sink.stop()
    await clock.runUntil(100)
    expect(clock.pending).toBe(0)
  })

  it('is started once, however often that is asked for', async () => {
    let joined = 0
    const { sink } = createOne({ onJoin: () => joined++ })

    await Promise.all([sink.start(), sink.start()])
    await sink.start()

    expect(joined).toBe(1)
  })

  it('cannot be started again once it has ended', async () => {
    const { sink, clock } = await startOne()
    const stopped = sink.stop()
    await expect(sink.start()).rejects.toThrow('make another one')
    await clock.runUntil(100)
    await stopped

    await expect(sink.start()).rejects.toThrow('make another one')
  })

  it('cannot be started once it was stopped', async () => {
    let joined = 0
    const { sink, clock } = createOne({ onJoin: () => joined++ })
    const stopped = sink.stop()
    await clock.runUntil(100)
    await stopped

    await expect(sink.start()).rejects.toThrow('make another one')
    expect(joined).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

describe('a sink whose rejected records cannot be copied yet', () => {
  it('retries until they can, and then joins its group', async () => {
    let asked = 0
    let joined = 0
    const rejects = rejectSink(() => (++asked < 3 ? Promise.reject(new UnreachableError('Kafka does not answer.')) : Promise.resolve()))
    const { sink, clock } = createOne({ rejects, onJoin: () => joined++ })
    const started = sink.start()
    await clock.runUntil(1500)
    expect({ asked, joined }).toEqual({ asked: 2, joined: 0 })

    await clock.runUntil(2500)
    await started

    expect({ asked, joined, state: sink.state }).toEqual({ asked: 3, joined: 1, state: 'running' })
  })

  it('can be stopped while it retries', async () => {
    const { sink, clock } = createOne({ rejects: rejectSink(() => Promise.reject(new UnreachableError('Kafka does not answer.'))) })
    const started = sink.start()
    await clock.runUntil(10)
    const stopped = sink.stop()
    await clock.runUntil(20)

    await Promise.all([started, stopped])
    expect(sink.state).toBe('stopped')
    expect(clock.pending).toBe(0)
  })
})

function rejectSink(check: DeadLetterWriter['check']): DeadLetterWriter {
  return { send: () => Promise.resolve(), check, waitingFor: undefined, close: () => Promise.resolve() }
}

describe('a sink that owns several partitions', () => {
  it('L6 pauses one whose share of memory is used up', async () => {
    const { clock, deliver, listener, paused } = await startOne()
    listener().assigned([0, 1].map((partition) => ({ topic: 'things', partition })))
    await clock.runUntil(10)
    // more than half of all the room, and less than all of it
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

  it('L5 sends nothing from the very end of its session on', async () => {
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
    ['does not say that it has left in order while a request of the partition is unresolved', 499, false],
    ['says that it has left in order once no request of the partition is unresolved', 500, true]
  ])('L5 %s', async (_what, waitMs, hasLeft) => {
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

  it('L5 sends nothing from the beginning of a rebalance until Kafka has said whose commit it stored last', async () => {
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

  it('L5 commits nothing when the timer fires between the end of a rebalance and that answer', async () => {
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

    answer({ ...commits.at(-1)!, position: toPosition(7), metadata: writeMetadata({ plan: 'plan-1', by: 'another', hasLeft: false }) })
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
    waits.push({ reason: 'cosmos', detail: 'the last answer was 503' }, { reason: 'throttled', detail: 'nothing got through' })
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

  it('commits it also where it is known before the stored offsets are', async () => {
    const { sink, ask, clock, commits, listener } = createOne()
    const answer = ask()
    await sink.start()
    listener().learned([{ topic: 'things', partition: 0, position: toPosition(300) }])
    answer({ topic: 'things', partition: 0, position: undefined, metadata: '' })
    await clock.runUntil(20)

    expect(commits).toMatchObject([{ position: 300 }])
  })
})

describe('a sink whose next offset the topic has lost', () => {
  const PLACE = { topic: 'things', partition: 0 }
  const range = (from: number, to: number, low: number, high: number): OutOfRange => ({
    ...PLACE,
    from: toPosition(from),
    to: toPosition(to),
    low: toPosition(low),
    high: toPosition(high)
  })

  it('L1 reads on after the lost records, and commits there with its own metadata', async () => {
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

  it('continues after the records that it has taken where only the stored offset is lost', async () => {
    const { deliver, listener } = await startOne()
    deliver(0, 250)

    expect(listener().outOfRange(range(0, 300, 200, 300))).toBe(250)
  })

  it('L1 withdraws the records in flight where the topic was created again, and begins at the new offset', async () => {
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
