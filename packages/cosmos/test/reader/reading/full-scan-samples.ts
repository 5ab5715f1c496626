import type { PlanDefinition } from '@keystamp/core'
import fc from 'fast-check'

/** A component of a plan, as the plan defines it. */
export type Component = Readonly<Record<string, unknown>>

/** A plan, and for each field the components that read it: one for each version, newest first. */
export interface Sample {
  readonly plan: PlanDefinition
  readonly paths?: readonly string[]
  readonly components: readonly Readonly<Record<string, Component>>[]
  /** The bucket of `at` for the same versions. */
  readonly bucket?: Component
}

const A = { field: '/a' }
const A_USE = { field: '/a', missing: { use: 'none' }, null: { use: '7' } }
const B_NFC = { field: '/b', normalize: 'NFC', wrongType: { use: 'true' }, empty: { use: '7' } }
const ZONE = 'Europe/Berlin'
const MONTH = {
  bucket: 'month',
  of: '/at',
  zone: '+14:00',
  epoch: 'seconds',
  missing: { use: 'never' },
  wrongType: { use: 'odd' }
} as const

const COUNT = { field: '/n', type: 'integer', coerce: true } as const
const MICROSECONDS = { bucket: 'month', of: '/at', epoch: 'microseconds' } as const
const SECONDS = { bucket: 'minute:15', of: '/at', epoch: 'seconds', coerce: true } as const

/** The plans whose answers are compared. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'strings, numbers and booleans': {
    plan: { into: '/partitionKey', from: [A], suffix: { by: '/b', count: 3 } },
    components: [{ a: A, b: { field: '/b' } }]
  },
  'substitutes and normalized strings': {
    plan: { into: '/partitionKey', from: [A_USE, B_NFC], suffix: { by: ['/n'], count: 2 } } as PlanDefinition,
    components: [{ a: A_USE, b: B_NFC, n: { field: '/n' } }]
  },
  'a normalized string only in the suffix': {
    plan: { into: '/partitionKey', from: [A], suffix: { by: [B_NFC], count: 3 } } as unknown as PlanDefinition,
    components: [{ a: A, b: B_NFC }]
  },
  'declared types in the id': {
    plan: {
      into: '/partitionKey',
      from: [A],
      id: {
        from: [{ field: '/n', type: 'integer' }, { field: '/b' }, { field: '/u' }],
        separator: '_',
        existing: 'overwrite'
      }
    },
    components: [{ a: A, n: { field: '/n', type: 'integer' }, b: { field: '/b' }, u: { field: '/u' } }]
  },
  'levels that are the fields themselves': {
    plan: {
      levels: [
        { into: '/a', from: [A] },
        { into: '/part', from: [{ bucket: 'hour', of: '/at' }], suffix: { by: '/b', count: 2 } }
      ]
    },
    paths: ['/a', '/part'],
    components: [{ b: { field: '/b' } }],
    bucket: { bucket: 'hour', of: '/at' }
  },
  'quarters of an hour in a zone that sets its clocks back': {
    plan: { into: '/partitionKey', from: [A, { bucket: 'minute:15', of: '/at', zone: ZONE }] },
    components: [{ a: A }],
    bucket: { bucket: 'minute:15', of: '/at', zone: ZONE }
  },
  'seconds since 1970 and substitutes for times': {
    plan: {
      into: '/partitionKey',
      from: [A, MONTH]
    },
    components: [{ a: A }],
    bucket: MONTH
  },
  'digits as text': {
    plan: { into: '/partitionKey', from: [SECONDS], suffix: { by: COUNT, count: 2 } },
    components: [{ n: COUNT }],
    bucket: SECONDS
  },
  'the id as the last level': {
    plan: {
      levels: [
        { into: '/part', from: [A], suffix: { by: '/b', count: 2 } },
        { into: '/id', from: [{ id: true }] }
      ]
    },
    paths: ['/part', '/id'],
    components: [{ a: A, b: { field: '/b' } }]
  },
  'microseconds since 1970': {
    plan: { into: '/partitionKey', from: [A, MICROSECONDS] },
    components: [{ a: A }],
    bucket: MICROSECONDS
  },
  'two versions of a plan': {
    plan: {
      into: '/partitionKey',
      from: [A, { bucket: 'day', of: '/at' }],
      previous: [
        {
          until: { field: '/n', before: 2 },
          plan: { into: '/partitionKey', from: [{ field: '/b' }], suffix: { by: '/a', count: 2 } }
        }
      ]
    },
    components: [{ a: A, b: { field: '/b' } }],
    bucket: { bucket: 'day', of: '/at' }
  }
}

const VALUES = [
  7,
  '7',
  0,
  '0',
  '-0',
  true,
  'true',
  false,
  1.5,
  '1.5',
  1e21,
  '1e21',
  'e\u0301',
  '\u00e9',
  'K',
  '\u212a',
  'none',
  'a-b',
  'a~2Db',
  'a.1',
  '',
  null
]
const NUMBERS = [0, 1, 2, 3, '3', '03', 2.5, null]
const TIMES = [
  '2018-10-28T00:40:00Z',
  '2018-10-28T02:40:00+02:00',
  '2018-10-28 02:40',
  '2018-10-28T02:20',
  '2018-10-28T01:20:00Z',
  '2018-10-28T01:05:00Z',
  '2018-10-28',
  '2018-10-27T23:59:59.999Z',
  '2018-10-27T14:00:00+14:00',
  '2018-10-28T03:00:00',
  '2018-10-31T10:30:00Z',
  1540687200,
  1540690800,
  1540690800.9,
  '1540690800',
  '1540690799.5',
  1540690800000000,
  1540693620000001,
  'no time',
  null
]

/** First and last moments of the intervals in questions. */
export const MOMENTS = [
  '2018-10-27T22:00:00Z',
  '2018-10-28T00:30:00Z',
  '2018-10-28T00:50:00Z',
  '2018-10-28T01:15:00Z',
  '2018-10-28T03:05:00+02:00',
  1540690800000,
  '2018-10-29T00:00:00Z',
  '2018-10-31T10:30:00Z'
]

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })

/** The fields of a document or of a question. */
export const record = fc.record({
  a: maybe(VALUES),
  b: maybe(VALUES),
  u: maybe(VALUES),
  n: maybe(NUMBERS),
  at: maybe(TIMES)
})
