import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { stamp } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('the limit of chunks that wait in a stage of objects', () => {
  test.each([
    ['small records: the default of Node', (): unknown => ({ id: 'a' }), 31, 32],
    ['records of 300 KB: some of them', (): unknown => ({ id: 'a', text: 'x'.repeat(300_000) }), 4, 8],
    ['records above the limit: one on each side', (): unknown => ({ id: 'a', text: 'x'.repeat(3_000_000) }), 1, 3],
    ['arrays of a hundred records of 1 KB', (): unknown => recordsOf(100, 1000), 16, 22],
    ['arrays of ten thousand records of 1 KB', (): unknown => recordsOf(10_000, 1000), 1, 3],
    [
      'records with many properties',
      (): unknown => ({ id: 'a', values: Array.from({ length: 50_000 }, (_, at) => `value ${at}`) }),
      1,
      3
    ],
    ['bytes inside records', (): unknown => ({ id: 'a', bytes: Buffer.alloc(500_000) }), 2, 6]
  ])('is about 1 MiB on each side: %s', async (_title, make, min, max) => {
    const stage = stamp(PLAN)
    let waiting = 1
    while (stage.write(make()) && waiting < 100) {
      waiting++
      await new Promise((resolve) => setImmediate(resolve))
    }

    expect(waiting).toBeGreaterThanOrEqual(min)
    expect(waiting).toBeLessThanOrEqual(max)
  })

  test('is adapted during the work: fewer chunks wait when records grow', async () => {
    const stage = stamp(PLAN)
    stage.resume()
    for (let count = 0; count < 5000; count++) stage.write({ id: 'a', text: 'x'.repeat(count < 1000 ? 10 : 200_000) })
    await new Promise((resolve) => setImmediate(resolve))

    expect(stage.writableHighWaterMark).toBe(5)
    expect(stage.readableHighWaterMark).toBe(5)
  })

  test('is also computed for circular and deeply nested records', async () => {
    const circle: { id: string; self?: unknown } = { id: 'a' }
    circle.self = [circle]
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]

    const stamped = await Readable.from([circle, { id: 'b', deep }])
      .pipe(stamp(PLAN))
      .toArray()

    expect(stamped).toMatchObject([{ pk: 'a' }, { pk: 'b' }])
  })

  test('is computed without calling a getter of a record, because a getter may throw', async () => {
    let runs = 0
    const curious = {
      id: 'a',
      get other(): string {
        runs++
        throw new Error('a getter was called')
      }
    }

    const stamped = await Readable.from([curious, [curious]])
      .pipe(stamp(PLAN))
      .toArray()

    expect(stamped).toHaveLength(2)
    expect(runs).toBe(0)
  })

  test('is the value of the option `highWaterMark` if it is set', () => {
    const stage = stamp(PLAN, { highWaterMark: 3 })
    stage.write({ id: 'a', text: 'x'.repeat(3_000_000) })

    expect([stage.writableHighWaterMark, stage.readableHighWaterMark]).toEqual([3, 3])
  })
})

function recordsOf(count: number, bytes: number): readonly unknown[] {
  return Array.from({ length: count }, () => ({ id: 'a', text: 'x'.repeat(bytes) }))
}
