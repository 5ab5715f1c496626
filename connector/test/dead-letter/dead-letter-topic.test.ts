import { describe, expect, it } from 'vitest'
import { createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import type { FailureKind } from '../../src/dead-letter/dead-letter-topic.ts'
import { UnreachableError } from '../../src/dead-letter/dead-letter-queue.ts'
import { turn } from '../simulation/virtual-clock.ts'
import { answersOf, openDeadLetterFixture, passTime } from './dead-letter-fixture.ts'
import { recordAt, REJECTION } from './sample.ts'

describe('the check of a dead-letter topic', () => {
  it.each<[FailureKind, string]>([
    ['unknown', 'The dead-letter topic "dead" does not exist.'],
    ['refused', 'The dead-letter topic "dead" cannot be written to (REFUSED).']
  ])('reports why copies cannot be written: %s', async (kind, message) => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push(kind)

    await expect(fixture.rejects.check()).rejects.toMatchObject({ code: 'REJECTS_FAILED', message })
  })

  it('reports refused credentials with a code of their own, not as a topic that cannot be written', async () => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push('unauthorized')

    await expect(fixture.rejects.check()).rejects.toMatchObject({
      code: 'KAFKA_UNAUTHORIZED',
      message:
        'Kafka refused the credentials (UNAUTHORIZED) when the dead-letter topic "dead" was opened. Check `kafka.sasl`.'
    })
  })

  it('reports that Kafka does not answer with an error that allows a retry', async () => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push('temporary')

    const error: unknown = await fixture.rejects.check().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toHaveProperty(
      'message',
      'The dead-letter topic "dead" cannot be reached: Kafka does not answer (TEMPORARY).'
    )
  })

  it('succeeds if the topic can be reached', async () => {
    await expect(openDeadLetterFixture().rejects.check()).resolves.toBeUndefined()
  })
})

describe('dead-letter records', () => {
  it('wait while Kafka refuses credentials that it accepted before', async () => {
    const fixture = openDeadLetterFixture({
      auth: createAuthGrace({ clock: { now: () => 0 }, graceMs: 60_000, reread: () => Promise.resolve() })
    })
    await fixture.rejects.check()
    fixture.failures.push('unauthorized', 'unauthorized')
    const answer = fixture.rejects.send(recordAt(1), REJECTION)
    await turn()
    await turn()
    expect(fixture.rejects.waitingFor).toContain('Kafka refuses the credentials')
    await passTime(fixture, 5000)

    await expect(answer).resolves.toBeUndefined()
  })

  it('that wait are sent together, in their order', async () => {
    const fixture = openDeadLetterFixture()
    const answers = await answersOf(
      fixture,
      Array.from({ length: 1100 }, (_, offset) => recordAt(offset))
    )

    expect(new Set(answers)).toEqual(new Set(['stored']))
    expect(fixture.sends.map((sent) => sent.length)).toEqual([500, 500, 100])
    expect(fixture.sends.flat().map(({ value }) => String(value))).toEqual(
      Array.from({ length: 1100 }, (_, offset) => `value-${offset}`)
    )
  })

  it('are sent in smaller groups when they are large', async () => {
    const fixture = openDeadLetterFixture()
    await answersOf(
      fixture,
      Array.from({ length: 5 }, (_, offset) => recordAt(offset, { value: Buffer.alloc(200_000) }))
    )

    expect(fixture.sends.map((sent) => sent.length)).toEqual([2, 2, 1])
  })

  it('wait while Kafka cannot be reached, and the reason is reported', async () => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push(...Array.from({ length: 40 }, () => 'temporary' as const))
    const answer = fixture.rejects.send(recordAt(1), REJECTION)
    await passTime(fixture, 60_000)

    expect(fixture.rejects.waitingFor).toBe('the dead-letter topic "dead": a request to Kafka failed (TEMPORARY)')
    expect(fixture.sends).toEqual([])
    await passTime(fixture, 1_000_000)
    await answer
    expect(fixture.rejects.waitingFor).toBeUndefined()
    expect(fixture.sends).toHaveLength(1)
  })

  it('are reported as a wait for the topic when an answer takes long', async () => {
    const fixture = openDeadLetterFixture({
      producer: { send: () => new Promise(() => {}), check: async () => {}, close: async () => {} }
    })
    void fixture.rejects.send(recordAt(1), REJECTION)
    await fixture.clock.runUntil(500)
    expect(fixture.rejects.waitingFor).toBeUndefined()

    await fixture.clock.runUntil(2000)
    expect(fixture.rejects.waitingFor).toBe('the dead-letter topic "dead", which has not answered yet')
  })

  it('that are refused stop the sink', async () => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push('refused')

    expect(await answersOf(fixture, [recordAt(1)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead-letter topic "dead" refuses copies (REFUSED).' }
    ])
  })

  it('wait a limited time for an unknown topic', async () => {
    const restarted = openDeadLetterFixture()
    restarted.failures.push('unknown', 'unknown')
    expect(await answersOf(restarted, [recordAt(1)])).toEqual(['stored'])

    const missing = openDeadLetterFixture()
    missing.failures.push(...Array.from({ length: 1000 }, () => 'unknown' as const))
    expect(await answersOf(missing, [recordAt(1)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead-letter topic "dead" does not exist.' }
    ])
    expect(missing.clock.now()).toBeGreaterThan(30_000)
  })

  // checks L9
  it('that still wait for Kafka when the sink ends are not stored', async () => {
    const fixture = openDeadLetterFixture()
    fixture.failures.push('temporary')
    const answer = fixture.rejects.send(recordAt(1), REJECTION).catch((error: unknown) => error)
    await fixture.clock.runUntil(1)
    await fixture.rejects.close()

    expect(await answer).toMatchObject({ code: 'REJECTS_FAILED' })
    expect(fixture.isClosed).toBe(true)
    await expect(fixture.rejects.send(recordAt(2), REJECTION)).rejects.toMatchObject({ code: 'REJECTS_FAILED' })
  })

  it('that are already being sent when the sink ends are stored before it ends', async () => {
    const fixture = openDeadLetterFixture()
    const answer = fixture.rejects.send(recordAt(1), REJECTION)
    await Promise.resolve()
    await fixture.rejects.close()

    await answer
    expect(fixture.sends).toHaveLength(1)
  })
})

describe('the end of a sink with a dead-letter topic', () => {
  it('waits a limited time for requests in flight if the broker does not answer', async () => {
    const fixture = openDeadLetterFixture({
      producer: { send: () => new Promise(() => {}), check: async () => {}, close: () => new Promise(() => {}) }
    })
    const answers = [1, 2].map((offset) =>
      fixture.rejects.send(recordAt(offset), REJECTION).catch((error: unknown) => error)
    )
    await turn()
    let isClosed = false
    void fixture.rejects.close().then(() => (isClosed = true))
    await passTime(fixture, 4000)
    expect(isClosed).toBe(false)

    await passTime(fixture, 12_000)
    expect(isClosed).toBe(true)
    expect(await Promise.all(answers)).toMatchObject([{ code: 'REJECTS_FAILED' }, { code: 'REJECTS_FAILED' }])
  })
})
