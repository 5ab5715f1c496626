import { isDeepStrictEqual } from 'node:util'
import { compilePlan } from '../../../src/key/compile-plan.ts'
import type { Rejection } from '../../../src/errors/rejection.ts'
import { createBytesStamper } from '../../../src/json/create-bytes-stamper.ts'
import { joinedLength, joinedLengthBound, joinInto, type StampedBytes } from '../../../src/json/join.ts'
import { parsePlan } from '../../../src/plan/parse-plan.ts'
import type { PlanDefinition } from '../../../src/plan/definition.ts'
import type { Judge } from './judge.ts'

interface TwinPlan {
  readonly definition: PlanDefinition
  readonly requireId: boolean
}

/** Plans that have a fast path over bytes. */
export const TWIN_PLANS: readonly TwinPlan[] = [
  { definition: { into: '/pk', from: [{ field: '/deviceId' }, { field: '/date' }] }, requireId: false },
  {
    definition: {
      into: '/pk',
      from: [
        { field: '/owner/name', type: 'text' },
        { literal: 'x' },
        { field: '/list/0/n', missing: { use: 'none' } },
        { field: '/a' }
      ],
      separator: '.',
      existing: 'overwrite',
      id: { from: [{ kafka: 'topic' }, { kafka: 'offset' }], separator: '/', existing: 'overwrite' }
    },
    requireId: false
  },
  { definition: { into: '/pk', from: [{ field: '/a' }, { field: '/deviceId' }], existing: 'keep' }, requireId: true },
  {
    definition: {
      into: '/é"x',
      from: [{ kafka: 'topic' }, { field: '/b' }, { field: '/date', type: 'integer' }],
      encoding: 'plain'
    },
    requireId: false
  },
  { definition: { into: '/pk', from: [{ kafka: 'topic' }, { kafka: 'offset' }] }, requireId: false },
  { definition: { into: '/deviceId', from: [{ field: '/deviceId' }] }, requireId: true },
  {
    definition: {
      into: '/pk',
      from: [
        { field: '/deviceId', empty: { use: '' } },
        { field: '/a', empty: { use: 'none' } }
      ]
    },
    requireId: false
  },
  { definition: { into: '/deviceId', from: [{ field: '/deviceId', empty: { use: '' } }] }, requireId: false },
  {
    definition: { into: '/a', from: [{ field: '/a', type: 'text', normalize: 'NFC', wrongType: { use: 'none' } }] },
    requireId: false
  },
  {
    definition: {
      levels: [
        { into: '/deviceId', from: [{ field: '/deviceId' }] },
        { into: '/id', from: [{ id: true }] }
      ]
    },
    requireId: false
  },
  {
    definition: {
      levels: [
        { into: '/owner/name', from: [{ field: '/owner/name' }] },
        { into: '/deviceId', from: [{ field: '/deviceId' }] }
      ]
    },
    requireId: true
  }
]

/** Compares the fast path with the general path. Other judges compare the general path with JSON.parse. */
export function createTwinJudge({ definition, requireId }: TwinPlan): Judge {
  const plan = compilePlan(parsePlan(definition), { random: undefined, requireId })
  if (plan.direct === undefined) throw new Error('This plan has no fast path.')
  const short = createBytesStamper(plan)
  const long = createBytesStamper({ ...plan, direct: undefined })
  let accepted = 0
  return { complaint, accepted: () => accepted, usual: 0.8 }

  function complaint(bytes: Uint8Array): string | undefined {
    const source = { topic: 'tele/metry', partition: 3, offset: String(bytes.length) }
    const inside = new Uint8Array(bytes.length + 20)
    inside.set(bytes, 13)
    // the first result is joined from its strings, because another record was stamped after it; the last one is joined
    // from its encoded member
    const results = [
      short.stamp(bytes, source),
      long.stamp(bytes, source),
      short.stamp(inside.subarray(10), source, 3, bytes.length + 3)
    ]
    const [one, ...others] = results.map(outcomeOf)
    if (others.some((other) => !isDeepStrictEqual(one, other)))
      return `the fast path differs: ${JSON.stringify([one, ...others])}`
    if (results[0].ok) accepted++
    return undefined
  }
}

function outcomeOf(result: StampedBytes | Rejection): unknown {
  if (!result.ok) return result
  const length = joinedLength(result)
  const target = new Uint8Array(length)
  if (joinInto(result, target, 0) !== length || joinedLengthBound(result) < length)
    return 'joinedLength and joinInto differ'
  const { values, id, version } = result
  return [values, id, version, Buffer.from(target).toString('latin1')]
}
