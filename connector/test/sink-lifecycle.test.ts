import { KeystampError } from '@keystamp/core'
import { CosmosError } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import type { DeadLetterWriter } from '../src/dead-letter/dead-letter-writer.ts'
import { UnreachableError } from '../src/dead-letter/dead-letter-queue.ts'
import { deferred } from './simulation/deferred.ts'
import { createOne, startOne } from './simulation/start-one.ts'

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

  it('retries its last commit until `shutdownTimeout` has passed, while the coordinator of the group is away', async () => {
    let isAway = false
    const { sink, clock, deliver, answers, committed } = await startOne({
      shutdownMs: 20_000,
      onCommit: () => {
        if (isAway) throw coordinatorAway()
      }
    })
    deliver(0, 3)
    isAway = true
    const stopped = sink.stop()
    for (const answer of answers) answer()
    await clock.runUntil(19_000)
    isAway = false
    await clock.runUntil(20_000)
    await stopped

    expect(committed()).toEqual({ position: 3, hasLeft: true })
    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
  })

  it('commits nothing after its partitions were given up, if the coordinator stays away', async () => {
    let isAway = false
    let attempts = 0
    const { sink, clock, deliver, answers, committed } = await startOne({
      onCommit: () => {
        attempts++
        if (isAway) throw coordinatorAway()
      }
    })
    deliver(0, 3)
    isAway = true
    void sink.stop()
    for (const answer of answers) answer()
    await clock.runUntil(6000)
    expect(await sink.ended).toMatchObject({ state: 'stopped' })
    const before = attempts
    isAway = false
    await clock.runUntil(20_000)

    expect(attempts).toBe(before)
    expect(committed()).toEqual({ position: 0, hasLeft: false })
  })

  it('does not retry a commit that only reports its clean shutdown', async () => {
    let isAway = false
    const { sink, clock, committed } = await startOne({
      onCommit: () => {
        if (isAway) throw coordinatorAway()
      }
    })
    isAway = true
    void sink.stop()
    await clock.runUntil(10)

    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
    expect(committed()).toEqual({ position: 0, hasLeft: false })
  })

  it('L10 does not wait for records of a partition whose claim is not stored, and commits none of them', async () => {
    let isAway = true
    const { sink, clock, deliver, answers, commits, lines } = await startOne({
      onCommit: () => {
        if (isAway) throw coordinatorAway()
      }
    })
    deliver(0, 3)
    void sink.stop()
    await clock.runUntil(100)

    expect(await sink.ended).toEqual({ state: 'stopped', error: undefined })
    isAway = false
    await clock.runUntil(20_000)
    expect({ answers, commits }).toEqual({ answers: [], commits: [] })
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it('has the state stopped only after it has left its group', async () => {
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

  it('ends once, as stopped, if something fails while it leaves its group', async () => {
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
  it('takes no partitions from sinks that can write', async () => {
    let joined = 0
    const refusal = new Error('There is no such container.')

    await expect(startOne({ refusal, onJoin: () => joined++ })).rejects.toBe(refusal)
    expect(joined).toBe(0)
  })

  it('can be stopped while it waits for Cosmos DB, and then has not failed', async () => {
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

  it('is started once, however often `start` is called', async () => {
    let joined = 0
    const { sink } = createOne({ onJoin: () => joined++ })

    await Promise.all([sink.start(), sink.start()])
    await sink.start()

    expect(joined).toBe(1)
  })

  it('cannot be started again once it has ended', async () => {
    const { sink, clock } = await startOne()
    const stopped = sink.stop()
    await expect(sink.start()).rejects.toThrow('create a new one')
    await clock.runUntil(100)
    await stopped

    await expect(sink.start()).rejects.toThrow('create a new one')
  })

  it('cannot be started once it was stopped', async () => {
    let joined = 0
    const { sink, clock } = createOne({ onJoin: () => joined++ })
    const stopped = sink.stop()
    await clock.runUntil(100)
    await stopped

    await expect(sink.start()).rejects.toThrow('create a new one')
    expect(joined).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

describe('a sink whose rejected records cannot be copied yet', () => {
  it('retries until they can be copied, and then joins its group', async () => {
    let asked = 0
    let joined = 0
    const rejects = rejectSink(() =>
      ++asked < 3 ? Promise.reject(new UnreachableError('Kafka does not answer.')) : Promise.resolve()
    )
    const { sink, clock } = createOne({ rejects, onJoin: () => joined++ })
    const started = sink.start()
    await clock.runUntil(1500)
    expect({ asked, joined }).toEqual({ asked: 2, joined: 0 })

    await clock.runUntil(2500)
    await started

    expect({ asked, joined, state: sink.state }).toEqual({ asked: 3, joined: 1, state: 'running' })
  })

  it('can be stopped while it retries', async () => {
    const { sink, clock } = createOne({
      rejects: rejectSink(() => Promise.reject(new UnreachableError('Kafka does not answer.')))
    })
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

function coordinatorAway(): Error {
  return new KeystampError('KAFKA_UNAVAILABLE', 'Kafka failed to store positions: the coordinator is not available.')
}
