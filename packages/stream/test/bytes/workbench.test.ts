import { createPlan, joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocateFresh, Workbench } from '../../src/bytes/workbench.ts'

const plan = createPlan({
  into: '/k',
  from: [{ field: '/a' }],
  existing: 'overwrite',
  id: { from: [{ field: '/a' }], existing: 'overwrite', escape: 'lossless' }
})

describe('Workbench', () => {
  test('writes the same output as if each record were joined separately, for all lengths of changes and of bytes between records', () => {
    const member = fc.constantFrom('"k":"old"', '"id":5', '"id":"x"', '"b":[1, {"a":2}]', '"k":"é"', '"ä":"ü"')
    const field = fc.oneof(
      fc.constantFrom('x', 'é✓'),
      fc.integer({ min: 1, max: 900 }).map((length) => '/'.repeat(length))
    )
    const record = fc
      .tuple(field, fc.array(member, { maxLength: 4 }))
      .map(([a, rest]) => `{${[`"a":"${a}"`, ...rest].join(' ,')}}`)
    const gap = fc.constantFrom('\n', '\r\n', ' \n', '', ',')

    fc.assert(
      fc.property(
        fc.array(fc.array(fc.tuple(record, gap), { maxLength: 12 }), { maxLength: 3 }),
        fc.string({ maxLength: 3, unit: 'grapheme-ascii' }),
        (sources, between) => {
          const bench = new Workbench(allocateFresh)
          const joined: Buffer[] = []
          for (const records of sources) {
            let at =
              bench.load(Buffer.from(between), between.length, Buffer.from(records.flat().join(''))) + between.length
            const { bytes } = bench
            for (const [text, behind] of records) {
              const end = at + Buffer.byteLength(text)
              const stamped = plan.stampBytes(bytes, undefined, at, end)
              if (stamped.ok) {
                joined.push(join(stamped), Buffer.from('\n'))
                bench.add(stamped)
                bench.addNewline()
              } else {
                joined.push(Buffer.from(between))
                bench.addBytes(Buffer.from(between), between.length)
              }
              at = end + behind.length
            }
          }

          expect(bench.take().toString()).toBe(Buffer.concat(joined).toString())
          expect(bench.take()).toHaveLength(0)
        }
      ),
      { numRuns: 300 }
    )
  })

  test('inserts far more bytes than the source has, and overwrites no source bytes that are not read yet', () => {
    const bench = new Workbench(allocateFresh)
    const text = `{"a":"${'/'.repeat(300)}"}`
    let at = bench.load(Buffer.alloc(0), 0, Buffer.from(text.repeat(100)))
    let expected = ''

    for (let each = 0; each < 100; each++) {
      const stamped = plan.stampBytes(bench.bytes, undefined, at, at + text.length) as StampedBytes
      if (expected === '') expected = `${join(stamped).toString()}\n`
      bench.add(stamped)
      bench.addNewline()
      at += text.length
    }

    expect(expected.length).toBeGreaterThan(text.length * 3)
    expect(bench.take().toString()).toBe(expected.repeat(100))
  })

  test('accepts bytes before a source is loaded', () => {
    const bench = new Workbench(allocateFresh)

    bench.addBytes(Buffer.from('abc'), 2)
    bench.addNewline()

    expect(bench.take().toString()).toBe('ab\n')
  })

  test('keeps its buffer for the next source if nothing was written into the buffer', () => {
    const sizes: number[] = []
    const bench = new Workbench((size) => {
      sizes.push(size)
      return Buffer.alloc(size)
    })

    for (let time = 0; time < 3; time++) {
      bench.load(Buffer.alloc(0), 0, Buffer.from('\n'.repeat(1000)))
      expect(bench.take()).toHaveLength(0)
    }

    expect(sizes).toHaveLength(1)
  })
})

function join(stamped: StampedBytes): Buffer {
  const bytes = Buffer.alloc(joinedLength(stamped))
  joinInto(stamped, bytes, 0)
  return bytes
}
