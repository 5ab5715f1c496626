import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlan, joinInto } from '../../src/index.ts'
import { createTwinJudge, TWIN_PLANS } from './torture/twin-judge.ts'

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'abc-123',
      'plain',
      'a',
      'a#b',
      'a/b',
      'what?',
      'back\\slash',
      'q"q',
      'a~b',
      'a.b',
      '',
      'é',
      '🚗',
      'x\u0001'
    )
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat(520).map((length) => 'y'.repeat(length)) }
)
const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  fc.nat(),
  fc.constantFrom(-1, 1.5, 1e21, 123456789012345680, null, true, [], {})
)
const record = fc.record(
  {
    id: fc.oneof({ weight: 5, arbitrary: text }, scalar),
    deviceId: scalar,
    date: fc.oneof(fc.nat(), scalar),
    a: scalar,
    b: scalar,
    owner: fc.record({ name: scalar }),
    list: fc.array(fc.record({ n: scalar }), { maxLength: 2 }),
    pk: scalar
  },
  { requiredKeys: ['deviceId', 'a'] }
)
const usual = record.map(({ pk: _pk, ...rest }) => rest)

describe('the fast path of a plan that only joins strings', () => {
  it.each(['"', '\\'])('is not used for a separator that JSON escapes: %s', (separator) => {
    const { stampBytes } = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }], separator })

    expect(JSON.parse(joined(stampBytes(Buffer.from('{"a":"x","b":"y"}'))))).toMatchObject({ pk: `x${separator}y` })
  })

  it.each(TWIN_PLANS)('has the same results as the general path for all records, with plan %#', (plan) => {
    const { complaint } = createTwinJudge(plan)

    fc.assert(
      fc.property(fc.oneof({ weight: 6, arbitrary: usual }, record, fc.constant({})), (value) => {
        expect(complaint(Buffer.from(JSON.stringify(value)))).toBeUndefined()
      }),
      { numRuns: 1500 }
    )
  })

  it('copies the digits of integers of any length', () => {
    const { complaint, accepted } = createTwinJudge({
      definition: { into: '/pk', from: [{ field: '/a', type: 'integer' }, { field: '/b' }] },
      requireId: false
    })
    for (let length = 1; length <= 600; length++) {
      const digits = '9'.repeat(length)

      expect(complaint(Buffer.from(`{"a":${digits},"b":${digits}}`))).toBeUndefined()
      expect(complaint(Buffer.from(`{"a":-${digits},"b":0}`))).toBeUndefined()
    }
    expect(accepted()).toBeGreaterThan(1000)
  })

  it('keeps the result for a record while the next record is stamped', () => {
    const { stampBytes } = createPlan({
      into: '/pk',
      from: [{ field: '/a' }, { field: '/b' }],
      id: { from: [{ kafka: 'offset' }] }
    })
    const stamp = (a: string, b: unknown, offset: number) =>
      stampBytes(Buffer.from(JSON.stringify({ a, b })), { offset })

    const [first, second] = [stamp('one', 1, 7), stamp('two', 'é', 8)]
    expect([first, second].map(joined)).toEqual([
      '{"a":"one","b":1,"pk":"one-1","id":"7"}',
      '{"a":"two","b":"é","pk":"two-é","id":"8"}'
    ])
    const third = stamp('three', 3, 9)
    stamp('four', null, 10)
    expect(joined(third)).toBe('{"a":"three","b":3,"pk":"three-3","id":"9"}')
  })
})

function joined(stamped: ReturnType<ReturnType<typeof createPlan>['stampBytes']>): string {
  if (!stamped.ok) throw new Error(stamped.message)
  const target = Buffer.alloc(100)
  return target.toString('utf8', 0, joinInto(stamped, target, 0))
}
