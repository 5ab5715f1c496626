import { createPlan, joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Output } from '../../src/bytes/output.ts'

const plan = createPlan({
  into: '/k',
  from: [{ field: '/a' }],
  existing: 'overwrite',
  id: { from: [{ field: '/a' }], existing: 'overwrite' }
})

test('Output gives what joining record by record gives, whatever room it is given', () => {
  const member = fc.constantFrom('"k":"old"', '"id":5', '"id":"x"', '"b":[1, {"a":2}]', '"k":"é"', '"ä":"ü"')
  const record = fc
    .tuple(fc.constantFrom('"a":"x"', '"a":"é\\"✓"'), fc.array(member, { maxLength: 4 }))
    .map(([first, rest]) => `{${[first, ...rest].join(' ,')}}`)
  const gap = fc.constantFrom('\n', '\r\n', ' \n', '', ',')

  fc.assert(
    fc.property(fc.array(fc.tuple(record, gap), { maxLength: 8 }), fc.integer({ min: 0, max: 200 }), (records, room) => {
      const source = Buffer.from(records.flat().join(''))
      const output = new Output((size) => Buffer.allocUnsafe(size))
      const joined: Buffer[] = []
      let at = 0
      if (room > 0) output.expect(room)
      for (const [text, between] of records) {
        const end = at + Buffer.byteLength(text)
        const stamped = plan.stampBytes(source, undefined, at, end) as StampedBytes
        output.add(source, stamped)
        output.addNewline(source, stamped.end)
        joined.push(join(stamped), Buffer.from('\n'))
        at = end + between.length
      }

      expect(output.take().toString()).toBe(Buffer.concat(joined).toString())
      expect(output.take()).toHaveLength(0)
    })
  )
})

function join(stamped: StampedBytes): Buffer {
  const bytes = Buffer.alloc(joinedLength(stamped))
  joinInto(stamped, bytes, 0)
  return bytes
}
