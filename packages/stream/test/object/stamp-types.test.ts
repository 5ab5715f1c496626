import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { stamp, type StampArraysStream, type StampStream, stampStage } from '../../src/index.ts'

interface Reading {
  readonly deviceId: string
  readonly date: string
  readonly vehicle?: { readonly vin: string }
}

const definition = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] } as const

// The compiler checks these: `npx tsc -p tsconfig.tests.json`.
describe('the types of a stage', () => {
  test('turn a plan for a record type into a stream of this record type with its key', () => {
    const stream = stamp(createPlan<Reading, typeof definition>(definition))

    expectTypeOf(stream).toEqualTypeOf<StampStream<Reading, Reading & { partitionKey: string }>>()
  })

  test('do not allow a field that the record type lacks', () => {
    // @ts-expect-error -- no such field
    stamp<Reading>({ into: '/partitionKey', from: [{ field: '/device' }] })
    // @ts-expect-error -- no such nested field
    stampStage<Reading>({ into: '/partitionKey', from: [{ field: '/vehicle/wheels' }] })
    stamp<Reading>({ into: '/partitionKey', from: [{ field: '/vehicle/vin', missing: 'reject' }] })
    // @ts-expect-error -- a field that may be missing needs a policy
    stamp<Reading>({ into: '/partitionKey', from: [{ field: '/vehicle/vin' }] })
    // @ts-expect-error -- no such field
    const wrong = { into: '/partitionKey', from: [{ field: '/nope' }] } as const satisfies PlanDefinition<Reading>
    expectTypeOf(wrong).toBeObject()
  })

  test('add the result of a key function to the record type as a string', () => {
    const stream = stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' })
    const nested = stamp(({ deviceId }: Reading) => deviceId, { into: '/meta/key' })

    expectTypeOf(stream).toEqualTypeOf<StampStream<Reading, Reading & { partitionKey: string }>>()
    expectTypeOf(nested).toEqualTypeOf<StampStream<Reading, Reading>>()
    // @ts-expect-error -- a key is a string
    stamp(({ vehicle }: Reading) => vehicle, { into: '/partitionKey' })
    // @ts-expect-error -- `into` is missing
    expect(() => stamp(({ deviceId }: Reading) => deviceId)).toThrow('`into`')
  })

  test('do not allow writing a record of another type', () => {
    const stream = stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' })

    stream.write({ deviceId: 'a', date: 'b' })
    stream.write([{ deviceId: 'a', date: 'b' }])
    // @ts-expect-error -- `date` is missing
    expect(stream.write({ deviceId: 'a' })).toBe(true)
    stream.destroy()
  })

  test('are kept by `pipeline` up to the last stage', async () => {
    const readings: Reading[] = [{ deviceId: 'a', date: 'b' }]

    await pipeline(
      Readable.from(readings),
      stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' }),
      async (records) => {
        for await (const record of records) expectTypeOf(record).toEqualTypeOf<Reading & { partitionKey: string }>()
      }
    )
    await pipeline(
      Readable.from(readings),
      stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' }),
      new PassThrough({ objectMode: true }).resume()
    )
    expectTypeOf(
      stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' }).toArray()
    ).resolves.toEqualTypeOf<(Reading & { partitionKey: string })[]>()
  })

  test('include the key in the records of a loop over the stage', async () => {
    const stream = stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' })
    stream.end({ deviceId: 'a', date: 'b' })

    for await (const record of stream) expectTypeOf(record).toEqualTypeOf<Reading & { partitionKey: string }>()
  })

  test('accept only arrays and return arrays if the option `arrays` is true', async () => {
    const byFunction = stamp(({ deviceId }: Reading) => deviceId, { into: '/partitionKey', arrays: true })
    const byPlan = stamp(createPlan<Reading, typeof definition>(definition), { arrays: true })

    expectTypeOf(byFunction).toEqualTypeOf<StampArraysStream<Reading, Reading & { partitionKey: string }>>()
    expectTypeOf(byPlan).toEqualTypeOf<StampArraysStream<Reading, Reading & { partitionKey: string }>>()
    expectTypeOf<ReturnType<typeof byPlan.toArray>>().resolves.toEqualTypeOf<(Reading & { partitionKey: string })[][]>()
    // @ts-expect-error -- a single record is not an array
    expect(byPlan.write({ deviceId: 'a', date: 'b' })).toBe(false)
    byPlan.on('error', () => {})
    byFunction.end([{ deviceId: 'a', date: 'b' }])
    for await (const records of byFunction)
      expectTypeOf(records).toEqualTypeOf<(Reading & { partitionKey: string })[]>()
  })

  test('return a record for a record and an array for an array if it is called as a function', () => {
    const stage = stampStage(({ deviceId }: Reading) => deviceId, { into: '/partitionKey' })

    expectTypeOf(stage({ deviceId: 'a', date: 'b' })).toEqualTypeOf<(Reading & { partitionKey: string }) | undefined>()
    expectTypeOf(stage([{ deviceId: 'a', date: 'b' }])).toEqualTypeOf<
      (Reading & { partitionKey: string })[] | undefined
    >()
  })
})
