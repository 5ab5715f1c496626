import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPlan } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import { type Progress, type Rejected, stamp } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

interface Reading {
  id: string
  pk?: string
}

describe('stamp', () => {
  test('writes the key into the input record itself', async () => {
    const record: Reading = { id: 'a' }

    const [stamped] = await Readable.from([record]).pipe(stamp(PLAN)).toArray()

    expect(stamped).toBe(record)
    expect(record).toEqual({ id: 'a', pk: 'a' })
  })

  test('with `copy`, returns a copy of the same class for an object of a class', async () => {
    class Reading {
      readonly owner = { name: 'ada' }
      readonly deviceId: string
      constructor(deviceId: string) {
        this.deviceId = deviceId
      }
      get site(): string {
        return this.deviceId.slice(0, 2)
      }
    }
    const reading = new Reading('ab-1')

    const [copied] = await Readable.from([reading])
      .pipe(stamp({ into: '/owner/key', from: [{ field: '/deviceId' }] }, { copy: true }))
      .toArray()
    const [bare] = await Readable.from([Object.assign(Object.create(null) as object, { a: 'x' })])
      .pipe(stamp({ into: '/key', from: [{ field: '/a' }] }, { copy: true }))
      .toArray()

    expect(copied).toBeInstanceOf(Reading)
    expect(copied).not.toBe(reading)
    expect(copied).toMatchObject({ owner: { name: 'ada', key: 'ab-1' }, site: 'ab' })
    expect(reading.owner).toEqual({ name: 'ada' })
    expect(Object.getPrototypeOf(bare)).toBeNull()
  })

  test('with `copy`, changes neither the input record nor its nested objects', async () => {
    const plan = { into: '/meta/key/pk', from: [{ field: '/id' }] } as const
    const record = { id: 'a', meta: { key: { old: 1 }, other: {} }, list: [] }
    const before = structuredClone(record)

    const [stamped] = (await Readable.from([record])
      .pipe(stamp(plan, { copy: true }))
      .toArray()) as (typeof record)[]

    expect(record).toEqual(before)
    expect(stamped).toEqual({ ...before, meta: { key: { old: 1, pk: 'a' }, other: {} } })
    expect(stamped?.list).toBe(record.list)
  })

  test('returns arrays for arrays, without rejected records, and no array if all its records were rejected', async () => {
    const chunks = [[{ id: 'a' }, { x: 1 }, { id: 'b' }], [{ x: 2 }], { id: 'c' }, []]

    const out = await Readable.from(chunks)
      .pipe(stamp(PLAN, { onError: 'skip' }))
      .toArray()

    expect(out).toEqual([
      [
        { id: 'a', pk: 'a' },
        { id: 'b', pk: 'b' }
      ],
      { id: 'c', pk: 'c' }
    ])
  })

  test('accepts only arrays with `arrays`', async () => {
    const stage = stamp(PLAN, { arrays: true })

    expect(
      await Readable.from([[{ id: 'a' }], [{ id: 'b' }]])
        .pipe(stage)
        .toArray()
    ).toEqual([[{ id: 'a', pk: 'a' }], [{ id: 'b', pk: 'b' }]])
    const work = pipeline(
      Readable.from([{ id: 'a' }]),
      stamp(PLAN, { arrays: true }),
      new PassThrough({ objectMode: true })
    )
    await expect(work).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('buffers few records while the sink is slow', async () => {
    let made = 0
    const source = Readable.from(
      (function* () {
        for (;;) yield { id: String(made++) }
      })()
    )
    const sink = new Writable({ objectMode: true, highWaterMark: 1, write: () => {} })
    const work = pipeline(source, stamp(PLAN), sink).catch(() => {})
    await new Promise((resolve) => {
      setTimeout(resolve, 30)
    })

    // sixteen on each side of the stage, sixteen in the source, and those in transfer between them
    expect(made).toBeLessThanOrEqual(3 * 16 + 4)
    sink.destroy()
    await work
  })

  test('stamps with the result of a function of the record', async () => {
    const stage = stamp(({ id }: Reading) => `key-${id}`, { into: '/pk' })

    expect(
      await Readable.from([{ id: 'a' }])
        .pipe(stage)
        .toArray()
    ).toEqual([{ id: 'a', pk: 'key-a' }])
  })

  test('can be used with pipeline, compose and async iteration', async () => {
    const plan = createPlan(PLAN)
    const seen: unknown[] = []

    await pipeline(Readable.from([{ id: 'a' }]), stamp(plan), async (records) => {
      for await (const record of records) seen.push(record)
    })
    for await (const record of Readable.from([{ id: 'b' }]).compose(stamp(plan))) seen.push(record)

    expect(seen).toEqual([
      { id: 'a', pk: 'a' },
      { id: 'b', pk: 'b' }
    ])
  })

  test('ends the pipeline at the first record without a key, and reports the index of the record', async () => {
    const source = Readable.from([{ id: 'a' }, { id: 'b' }, {}, { id: 'c' }])
    const stage = stamp(PLAN)
    const sink = new Writable({ objectMode: true, write: (_record, _encoding, callback) => callback() })

    const work = pipeline(source, stage, sink)

    await expect(work).rejects.toThrow('Record 2: A field of the key is missing: /id.')
    await expect(work).rejects.toMatchObject({
      code: 'RECORD_REJECTED',
      retriable: false,
      rejected: { index: 2, record: {} }
    })
    expect([source.destroyed, stage.destroyed, sink.destroyed]).toEqual([true, true, true])
  })

  test('calls `onError` with every rejected record; an error that it throws ends the work', async () => {
    const told: Rejected<Reading>[] = []
    const stage = stamp(({ id }: Reading) => id.toUpperCase(), {
      into: '/pk',
      onError: (rejected) => told.push(rejected)
    })
    const strict = stamp(PLAN, {
      onError: () => {
        throw new Error('no more')
      }
    })

    const out = await Readable.from([{ id: 1 }, { id: 'b' }, { id: '' }])
      .pipe(stage)
      .toArray()

    expect(out).toEqual([{ id: 'b', pk: 'B' }])
    expect(told.map(({ code, index, record }) => ({ code, index, record }))).toEqual([
      { code: 'KEY_FUNCTION_FAILED', index: 0, record: { id: 1 } },
      { code: 'KEY_NOT_TEXT', index: 2, record: { id: '' } }
    ])
    expect(told[0]?.cause).toBeInstanceOf(TypeError)
    await expect(pipeline(Readable.from([{}]), strict, new PassThrough({ objectMode: true }))).rejects.toThrow(
      'no more'
    )
  })

  test('emits progress events only while there is a listener', async () => {
    let asked = 0
    const now = (): number => ++asked * 10
    const told: Progress[] = []
    const silent = stamp(PLAN, { now })
    await Readable.from([{ id: 'a' }])
      .pipe(silent)
      .toArray()
    const askedBySilent = asked

    const stage = stamp(PLAN, { now, progressEveryMs: 20, onError: 'skip' })
    stage.on('progress', (progress: Progress) => told.push(progress))
    await Readable.from([{ id: 'a' }, {}, { id: 'b' }, { id: 'c' }])
      .pipe(stage)
      .toArray()

    expect(askedBySilent).toBe(0)
    expect(told.map(({ records }) => records)).toEqual([2, 4, 4])
    expect(told.at(-1)).toMatchObject({
      rejected: 1,
      byCode: { FIELD_MISSING: 1 },
      seconds: 0.05,
      recordsPerSecond: 80
    })
  })

  test.each([
    [{ into: '/x' }, '`into` and `existing` are options of a key function'],
    [{ onErorr: 'skip' }, 'The option `onErorr` is not known here'],
    [{ onError: 'ignore' }, '`onError` must be "throw"'],
    [{ onError: { collect: 'file' } }, '`collect` must be a writable stream.'],
    [{ maxRejected: -1 }, '`maxRejected` must be a whole number'],
    [{ maxRejected: '200%' }, '`maxRejected` must be a whole number']
  ])('refuses the options %j', (options, message) => {
    expect(() => stamp(PLAN, options as object)).toThrow(message)
  })

  test('throws if a key function comes without `into`', () => {
    expect(() => stamp(() => 'x', {} as { into: string })).toThrow('A key function needs `into`')
  })
})
