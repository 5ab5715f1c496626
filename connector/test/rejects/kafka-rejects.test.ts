import { describe, expect, it } from 'vitest'
import { createKafkaRejects, type KafkaRejectsOptions } from '../../src/rejects/kafka-rejects.ts'
import { type DeadLetter, letterBytes } from '../../src/rejects/dead-letter.ts'
import { largestLetterBytes } from '../../src/rejects/largest-letter.ts'
import { type FailureKind, type LetterProducer, SendFailure } from '../../src/rejects/letter-producer.ts'
import type { RejectSink } from '../../src/rejects/reject-sink.ts'
import type { SinkRecord } from '../../src/record.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { recordAt, REJECTION } from './sample.ts'

interface Desk {
  readonly rejects: RejectSink
  readonly clock: VirtualClock
  /** What was stored, by sends. */
  readonly sends: (readonly DeadLetter[])[]
  readonly instead: string[]
  /** What the next sends meet; undefined for success. */
  readonly failures: (FailureKind | undefined)[]
  limit: number
  isClosed: boolean
}

/** Dead letters over a topic that takes batches up to a limit. */
function openDesk(options: Partial<KafkaRejectsOptions> = {}): Desk {
  const clock = new VirtualClock()
  const instead: string[] = []
  const sends: (readonly DeadLetter[])[] = []
  const failures: (FailureKind | undefined)[] = []
  const send = async (letters: readonly DeadLetter[]): Promise<void> => {
    await turn()
    const failure = failures.shift()
    if (failure !== undefined) throw new SendFailure(failure, failure.toUpperCase())
    if (letters.reduce((sum, letter) => sum + letterBytes(letter), 0) > desk.limit) throw new SendFailure('tooLarge', 'too large')
    sends.push(letters)
  }
  const producer: LetterProducer = {
    send,
    check: () => send([]),
    close: async () => {
      desk.isClosed = true
    }
  }
  const rejects = createKafkaRejects({
    producer,
    topic: 'dead',
    name: 'cars-to-cosmos',
    tooLarge: 'stop',
    onTooLarge: (what) => instead.push(what),
    clock,
    random: () => 0.5,
    ...options
  })
  const desk: Desk = { rejects, clock, sends, instead, failures, limit: Number.POSITIVE_INFINITY, isClosed: false }
  return desk
}

async function passTime({ clock }: Desk, untilMs: number): Promise<void> {
  while (clock.now() < untilMs) {
    // oxlint-disable-next-line no-await-in-loop -- what is sent takes a turn
    await turn()
    // oxlint-disable-next-line no-await-in-loop
    await clock.runUntil(clock.now() + 500)
  }
}

/** Lets time pass until all are answered; gives each answer. */
async function answersOf(desk: Desk, records: readonly SinkRecord[]): Promise<readonly unknown[]> {
  const answers = records.map((record) =>
    desk.rejects.send(record, REJECTION).then(
      () => 'stored',
      (error: unknown) => error
    )
  )
  const state = { isDone: false }
  const all = Promise.all(answers).finally(() => (state.isDone = true))
  for (let ms = 500; !state.isDone && ms < 1_000_000; ms += 500) {
    await turn()
    await desk.clock.runUntil(ms)
  }
  return all
}

describe('a dead letter', () => {
  it('is the record as it came, with the headers of Kafka Connect and ours', async () => {
    const desk = openDesk({ taskId: '4' })
    const key = new Uint8Array([0, 1, 2, 3]).subarray(1, 3)
    await answersOf(desk, [recordAt(7, { key, headers: { trace: Buffer.from('t'), many: ['a', 'b'], none: undefined } })])

    const [[letter]] = desk.sends
    expect(letter).toEqual({
      key: Buffer.from([1, 2]),
      value: Buffer.from('value-7'),
      timestamp: '1533818096000',
      from: 3,
      headers: {
        trace: Buffer.from('t'),
        many: ['a', 'b'],
        none: Buffer.alloc(0),
        '__connect.errors.topic': 'cars',
        '__connect.errors.partition': '3',
        '__connect.errors.offset': '7',
        '__connect.errors.connector.name': 'cars-to-cosmos',
        '__connect.errors.task.id': '4',
        '__connect.errors.stage': 'TRANSFORMATION',
        '__connect.errors.class.name': 'keystamp.shape',
        '__connect.errors.exception.class.name': 'keystamp.FIELD_MISSING',
        '__connect.errors.exception.message': 'A field that the key is made of is missing: /device.',
        '__connect.errors.exception.stacktrace': 'keystamp.FIELD_MISSING: A field that the key is made of is missing: /device.',
        'keystamp.code': 'FIELD_MISSING',
        'keystamp.stage': 'shape',
        'keystamp.path': '/device',
        'keystamp.timestamp': '1533818096000'
      }
    })
  })

  it.each([
    ['decode', 'VALUE_CONVERTER'],
    ['shape', 'TRANSFORMATION'],
    ['write', 'TASK_PUT']
  ] as const)('names the stage %s as Kafka Connect does', async (stage, name) => {
    const desk = openDesk()
    await desk.rejects.send(recordAt(1), { ...REJECTION, stage })

    expect(desk.sends[0][0].headers['__connect.errors.stage']).toBe(name)
  })

  it('that is rejected once more says why it was this time', async () => {
    const desk = openDesk()
    const headers = { '__connect.errors.offset': Buffer.from('1'), 'keystamp.code': 'OLD', other: 'kept' }
    await desk.rejects.send(recordAt(9, { headers }), REJECTION)

    expect(desk.sends[0][0].headers).toMatchObject({ '__connect.errors.offset': '9', 'keystamp.code': 'FIELD_MISSING', other: 'kept' })
  })
})

describe('dead letters', () => {
  it('that wait travel together, in their order', async () => {
    const desk = openDesk()
    const answers = await answersOf(
      desk,
      Array.from({ length: 1100 }, (_, offset) => recordAt(offset))
    )

    expect(new Set(answers)).toEqual(new Set(['stored']))
    expect(desk.sends.map((sent) => sent.length)).toEqual([500, 500, 100])
    expect(desk.sends.flat().map(({ value }) => String(value))).toEqual(Array.from({ length: 1100 }, (_, offset) => `value-${offset}`))
  })

  it('travel in smaller groups when they are large', async () => {
    const desk = openDesk()
    await answersOf(
      desk,
      Array.from({ length: 5 }, (_, offset) => recordAt(offset, { value: Buffer.alloc(200_000) }))
    )

    expect(desk.sends.map((sent) => sent.length)).toEqual([2, 2, 1])
  })

  it('wait for as long as Kafka cannot be reached, and say so', async () => {
    const desk = openDesk()
    desk.failures.push(...Array.from({ length: 40 }, () => 'passing' as const))
    const answer = desk.rejects.send(recordAt(1), REJECTION)
    await passTime(desk, 60_000)

    expect(desk.rejects.waitingFor).toBe('the dead letter topic "dead": Kafka does not answer as it should (PASSING)')
    expect(desk.sends).toEqual([])
    await passTime(desk, 1_000_000)
    await answer
    expect(desk.rejects.waitingFor).toBeUndefined()
    expect(desk.sends).toHaveLength(1)
  })

  it('say what they wait for when an answer takes long', async () => {
    const desk = openDesk({ producer: { send: () => new Promise(() => {}), check: async () => {}, close: async () => {} } })
    void desk.rejects.send(recordAt(1), REJECTION)
    await desk.clock.runUntil(500)
    expect(desk.rejects.waitingFor).toBeUndefined()

    await desk.clock.runUntil(2000)
    expect(desk.rejects.waitingFor).toBe('the dead letter topic "dead", which has not answered yet')
  })

  it('that are refused stop the work', async () => {
    const desk = openDesk()
    desk.failures.push('refused')

    expect(await answersOf(desk, [recordAt(1)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" refuses copies (REFUSED).' }
    ])
  })

  it('wait for a topic that is not known for a moment only', async () => {
    const patient = openDesk()
    patient.failures.push('unknown', 'unknown')
    expect(await answersOf(patient, [recordAt(1)])).toEqual(['stored'])

    const vain = openDesk()
    vain.failures.push(...Array.from({ length: 1000 }, () => 'unknown' as const))
    expect(await answersOf(vain, [recordAt(1)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" does not exist.' }
    ])
    expect(vain.clock.now()).toBeGreaterThan(30_000)
  })

  it('that wait when the sink ends are not stored', async () => {
    const desk = openDesk()
    desk.failures.push('passing')
    const answer = desk.rejects.send(recordAt(1), REJECTION).catch((error: unknown) => error)
    await desk.clock.runUntil(1)
    await desk.rejects.close()

    expect(await answer).toMatchObject({ code: 'REJECTS_FAILED' })
    expect(desk.isClosed).toBe(true)
    await expect(desk.rejects.send(recordAt(2), REJECTION)).rejects.toMatchObject({ code: 'REJECTS_FAILED' })
  })

  it('that are on their way when the sink ends are waited for', async () => {
    const desk = openDesk()
    const answer = desk.rejects.send(recordAt(1), REJECTION)
    await Promise.resolve()
    await desk.rejects.close()

    await answer
    expect(desk.sends).toHaveLength(1)
  })
})

describe('the end of a sink', () => {
  it('waits for what is on its way, and for a silent broker only a little', async () => {
    const desk = openDesk({ producer: { send: () => new Promise(() => {}), check: async () => {}, close: () => new Promise(() => {}) } })
    const answers = [1, 2].map((offset) => desk.rejects.send(recordAt(offset), REJECTION).catch((error: unknown) => error))
    await turn()
    let isClosed = false
    void desk.rejects.close().then(() => (isClosed = true))
    await passTime(desk, 4000)
    expect(isClosed).toBe(false)

    await passTime(desk, 12_000)
    expect(isClosed).toBe(true)
    expect(await Promise.all(answers)).toMatchObject([{ code: 'REJECTS_FAILED' }, { code: 'REJECTS_FAILED' }])
  })
})

describe('a dead letter that is too large', () => {
  const large = { value: Buffer.alloc(10_000) }

  it('for its batch is sent alone', async () => {
    const desk = openDesk()
    desk.limit = 11_000

    expect(await answersOf(desk, [recordAt(1), recordAt(2, large), recordAt(3)])).toEqual(['stored', 'stored', 'stored'])
    expect(desk.sends.map((sent) => sent.length)).toEqual([1, 1, 1])
    expect(desk.instead).toEqual([])
  })

  it('stops the work', async () => {
    const desk = openDesk()
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" does not take a copy of this size.' }
    ])
  })

  it('is skipped where the settings say so', async () => {
    const desk = openDesk({ tooLarge: 'skip' })
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large), recordAt(2)])).toEqual(['stored', 'stored'])
    expect(desk.sends.flat().map(({ value }) => String(value))).toEqual(['value-2'])
    expect(desk.instead).toEqual(['skip'])
  })

  it('goes without its value where the settings say so, and says how much is missing', async () => {
    const desk = openDesk({ tooLarge: 'withoutValue' })
    desk.limit = 5000

    expect(await answersOf(desk, [recordAt(1, large)])).toEqual(['stored'])
    expect(desk.sends).toMatchObject([
      [{ value: null, headers: { 'keystamp.value.omitted.bytes': '10000', 'keystamp.code': 'FIELD_MISSING' } }]
    ])
    expect(desk.instead).toEqual(['withoutValue'])
  })

  it('stops the work where it is too large without its value', async () => {
    const desk = openDesk({ tooLarge: 'withoutValue' })
    desk.limit = 5000

    for (const record of [recordAt(1, { ...large, key: Buffer.alloc(6000) }), recordAt(2, { value: null, key: Buffer.alloc(6000) })]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await answersOf(desk, [record])).toMatchObject([
        { code: 'REJECTS_FAILED', message: 'The dead letter topic "dead" does not take a copy even without its value.' }
      ])
    }
  })

  it.each([
    [['my-hubs.servicebus.windows.net:9093'], 1_000_000],
    [['broker-1:9092', 'broker-2:9092'], undefined]
  ])('is known before it is sent to %j: over %j bytes', (brokers, bytes) => {
    expect(largestLetterBytes(brokers)).toBe(bytes)
  })

  it('is not sent at all where the limit is known', async () => {
    const desk = openDesk({ tooLarge: 'withoutValue', maxLetterBytes: 5000 })

    expect(await answersOf(desk, [recordAt(1), recordAt(2, large)])).toEqual(['stored', 'stored'])
    expect(desk.sends.flat().map(({ value }) => value && String(value))).toEqual(['value-1', null])
  })
})

describe('the check at the start', () => {
  it.each<[FailureKind, string]>([
    ['unknown', 'The dead letter topic "dead" does not exist.'],
    ['refused', 'The dead letter topic "dead" cannot be written to (REFUSED).'],
    ['passing', 'The dead letter topic "dead" cannot be written to (PASSING).']
  ])('says what stands in the way: %s', async (kind, message) => {
    const desk = openDesk()
    desk.failures.push(kind)

    await expect(desk.rejects.check()).rejects.toMatchObject({ code: 'REJECTS_FAILED', message })
  })

  it('passes where nothing does', async () => {
    await expect(openDesk().rejects.check()).resolves.toBeUndefined()
  })
})
