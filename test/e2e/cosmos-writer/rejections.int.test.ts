import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { Operation, Outcome, Writer } from '@keystamp/cosmos'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useContainer } from './container-fixture.ts'

const fixture = useContainer()
const PLAN = { into: '/pk', from: [{ field: '/medallion' }] } as const
const WITHOUT_KEY = { kind: 'upsert', record: { id: '2', medalion: 'x' } } as const

const warnings: Error[] = []
const onWarning = (warning: Error): void => void warnings.push(warning)

beforeEach(() => {
  warnings.length = 0
  process.on('warning', onWarning)
})

afterEach(() => {
  process.off('warning', onWarning)
})

async function closed(writer: Writer): Promise<void> {
  await writer.close()
  await turn()
  await turn()
}

describe('a record that gets no key', () => {
  it('is counted as rejected by every method of the writer', async () => {
    const writer = await fixture.open({ plan: PLAN })

    await writer.write({ kind: 'upsert', record: { id: '1', medallion: 'x' } })
    await writer.write(WITHOUT_KEY)
    await new Promise((resolve) => {
      writer.submit(WITHOUT_KEY, resolve)
    })
    await writer.writeAtomic([WITHOUT_KEY, WITHOUT_KEY])
    await pipeline(Readable.from([{ id: '3' }, { id: '4', medallion: 'y' }]), writer.writable({ onRejected() {} }))

    expect(writer.stats()).toMatchObject({ written: 2, rejected: 5 })
  })

  it('causes one warning if the outcomes are not read', async () => {
    const writer = await fixture.open({ plan: PLAN })
    await writer.write(WITHOUT_KEY)
    void writer.write(WITHOUT_KEY)

    await closed(writer)

    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'KEYSTAMP_REJECTED',
        message: expect.stringMatching(/^2 records were rejected .* FIELD_MISSING\. .*: \/medallion\. Check the `kind`/)
      })
    ])
  })

  it('causes no warning if the outcomes are read after the end, or passed to a callback', async () => {
    const writer = await fixture.open({ plan: PLAN })
    const outcomes = await Promise.all([WITHOUT_KEY, WITHOUT_KEY].map(writer.write))
    await new Promise((resolve) => {
      writer.submit(WITHOUT_KEY, resolve)
    })
    await pipeline(Readable.from([{ id: '3' }]), writer.writable({ onRejected() {} }))

    await writer.close()
    const rejected = outcomes.filter(({ kind }: Outcome) => kind === 'rejected')
    await turn()
    await turn()

    expect(rejected).toHaveLength(2)
    expect(warnings).toEqual([])
  })
})

describe('the method upsert', () => {
  it('stores a record, or JSON bytes', async () => {
    const writer = await fixture.open({ plan: PLAN })

    expect(await writer.upsert({ id: '1', medallion: 'x' })).toMatchObject({ kind: 'written', status: 201 })
    expect(await writer.upsert(Buffer.from('{"id":"1","medallion":"x"}'))).toMatchObject({
      kind: 'written',
      status: 200
    })
    expect(await fixture.read('1', 'x')).toMatchObject({ id: '1', pk: 'x' })
  })

  it('throws an error with the code of the rejection', async () => {
    const writer = await fixture.open({ plan: PLAN })

    await expect(writer.upsert({ id: '1' })).rejects.toMatchObject({
      code: 'FIELD_MISSING',
      outcome: { path: '/medallion' }
    })
    await writer.upsert({ id: '1', medallion: 'x' })
    await expect(writer.upsert({ id: '1', medallion: 'x' }, { ifMatch: '"another"' })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED'
    })
    await expect(writer.upsert({ id: '1', medallion: 'x' }, { tll: 5 } as object)).rejects.toMatchObject({
      code: 'OPERATION_INVALID'
    })
    await closed(writer)
    expect(writer.stats().rejected).toBe(3)
    expect(warnings).toEqual([])
  })
})

describe('a value that is not an operation', () => {
  it.each<[string, unknown, RegExp]>([
    ['a bare record', { id: '1', pk: 'x' }, /`kind` must be .* To store a record, use `upsert\(record\)`/],
    ['undefined', undefined, /An operation is an object/],
    ['a misspelled kind', { kind: 'upset', record: {} }, /`kind` must be upsert/],
    ['a document that is missing', { kind: 'upsert' }, /needs a document/]
  ])('makes `write` and `writeAtomic` throw: %s', async (_, operation, message) => {
    const writer = await fixture.open({ plan: PLAN })
    const mistake = { code: 'OPERATION_INVALID', message: expect.stringMatching(message) }

    await expect(writer.write(operation as Operation)).rejects.toMatchObject(mistake)
    await expect(writer.writeAtomic([operation as Operation])).rejects.toMatchObject(mistake)
  })

  it('ends a stream, even a stream that continues after rejected records', async () => {
    const writer = await fixture.open({ plan: PLAN })
    const options = { operation: ({ record }: { record?: object }) => record as Operation, onRejected() {} }

    await expect(pipeline(Readable.from([{ id: '1' }]), writer.writable(options))).rejects.toMatchObject({
      code: 'OPERATION_INVALID',
      message: expect.stringMatching(/^Record 0: /)
    })
  })
})
