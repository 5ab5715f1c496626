import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { stamp, stampLines } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('onError: collect', () => {
  test('writes objects to a side stream of objects, and ends it with the stage', async () => {
    const side = new PassThrough({ objectMode: true })
    const collected = side.toArray()

    const out = await Readable.from([{}, { id: 'a' }, { x: 1 }])
      .pipe(stamp(PLAN, { onError: { collect: side } }))
      .toArray()

    expect(out).toEqual([{ id: 'a', pk: 'a' }])
    expect(await collected).toMatchObject([
      { code: 'FIELD_MISSING', index: 0, record: {} },
      { code: 'FIELD_MISSING', index: 2, record: { x: 1 } }
    ])
  })

  test('writes lines of JSON to a side stream of bytes', async () => {
    const side = new PassThrough()
    const collected = side.toArray()
    await Readable.from(['{"id":"a"}\nnonsense\n'])
      .pipe(stampLines(throwBadLuck, { into: '/pk', onError: { collect: side } }))
      .toArray()

    const lines = Buffer.concat(await collected)
      .toString()
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { code: 'KEY_FUNCTION_FAILED', line: 1, byte: 0, record: '{"id":"a"}', cause: 'bad luck' },
      { code: 'JSON_INVALID', line: 2, record: 'nonsense' }
    ])
  })

  test('waits while the side stream is full', async () => {
    const written: unknown[] = []
    let release: (() => void) | undefined
    const side = new Writable({
      objectMode: true,
      highWaterMark: 2,
      write: (record, _encoding, callback) => {
        written.push(record)
        release = callback
      }
    })
    let taken = 0
    const source = Readable.from(
      (function* () {
        while (taken < 100) yield { number: taken++ }
      })(),
      { highWaterMark: 1 }
    )
    const stage = stamp(PLAN, { onError: { collect: side }, highWaterMark: 1 })
    const done = source.pipe(stage).toArray()

    await turn(50)
    const takenWhileFull = taken
    while (written.length < 100) {
      release?.()
      await turn(1)
    }
    release?.()
    await done

    expect(takenWhileFull).toBeLessThan(10)
    expect(written).toHaveLength(100)
  })

  test('ends only after the side stream has written everything', async () => {
    const order: string[] = []
    const side = new Writable({
      objectMode: true,
      write: (_record, _encoding, callback) => setTimeout(callback, 5),
      final: (callback) => {
        order.push('side')
        callback()
      }
    })

    await Readable.from([{}, {}, {}])
      .pipe(stamp(PLAN, { onError: { collect: side } }))
      .toArray()
    order.push('stage')

    expect(order).toEqual(['side', 'stage'])
  })

  test('fails if the side stream fails or closes too early', async () => {
    const breaking = new Writable({
      objectMode: true,
      write: (_record, _encoding, callback) => callback(new Error('disk full'))
    })
    const closing = new PassThrough({ objectMode: true })

    const broken = pipeline(
      Readable.from(forEver()),
      stamp(PLAN, { onError: { collect: breaking } }),
      new PassThrough({ objectMode: true }).resume()
    )
    const closed = pipeline(
      Readable.from(forEver()),
      stamp(PLAN, { onError: { collect: closing } }),
      new PassThrough({ objectMode: true }).resume()
    )
    closing.destroy()

    const [first, second] = await Promise.allSettled([broken, closed])
    expect(first).toMatchObject({ status: 'rejected', reason: { message: 'disk full' } })
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'ERR_STREAM_PREMATURE_CLOSE' } })
  })

  test('keeps the collected records when `maxRejected` stops the work', async () => {
    const side = new PassThrough({ objectMode: true })
    const collected = side.toArray()

    const work = pipeline(
      Readable.from(forEver()),
      stamp(PLAN, { onError: { collect: side }, maxRejected: 3 }),
      new PassThrough({ objectMode: true }).resume()
    )

    await expect(work).rejects.toMatchObject({ code: 'REJECTED_TOO_MANY' })
    expect(await collected).toHaveLength(4)
  })

  test('does not close the standard streams of the process', async () => {
    const stage = stamp(PLAN, { onError: { collect: process.stderr } })
    const before = process.stderr.listenerCount('drain')

    stage.end()
    stage.resume()
    await once(stage, 'close')

    expect(process.stderr.writableEnded).toBe(false)
    expect(process.stderr.listenerCount('drain')).toBe(before - 1)
  })
})

function throwBadLuck(): string {
  throw new Error('bad luck')
}

async function* forEver(): AsyncGenerator<object> {
  for (;;) {
    await turn(0)
    yield {}
  }
}

function turn(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
