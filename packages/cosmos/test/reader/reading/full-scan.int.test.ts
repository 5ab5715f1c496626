import { createPlan, isKeystampError, type PlanDefinition } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWriter } from '../../../src/writer/writer.ts'
import { collect, useContainers } from '../start-container.ts'

const start = useContainers()

type Component = Readonly<Record<string, unknown>>

/** A plan, and for each field the components that read it: one for each version, newest first. */
interface Sample {
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

const SAMPLES: Readonly<Record<string, Sample>> = {
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
const MOMENTS = [
  '2018-10-27T22:00:00Z',
  '2018-10-28T00:30:00Z',
  '2018-10-28T00:50:00Z',
  '2018-10-28T01:15:00Z',
  '2018-10-28T03:05:00+02:00',
  1540690800000,
  '2018-10-29T00:00:00Z',
  '2018-10-31T10:30:00Z'
]

const REFUSALS = ['KEYS_UNBOUNDED', 'OPTION_INVALID', 'PARTS_MISSING']
const FIELDS = ['a', 'b', 'n', 'u', 'at']

const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const record = fc.record({ a: maybe(VALUES), b: maybe(VALUES), u: maybe(VALUES), n: maybe(NUMBERS), at: maybe(TIMES) })

describe('readAll returns the same documents as a filtered full scan', () => {
  it.each(Object.entries(SAMPLES))('for %s', async (_, sample) => {
    const { plan, paths } = sample
    const stamping = createPlan(plan)
    const drawn = fc.sample(record, 400).map((fields, index) => ({ id: `i${index}`, ...withoutUndefined(fields) }))
    const documents = [
      ...new Map(
        drawn.flatMap((document) => stamped(stamping, document)).map((document) => [document.id, document])
      ).values()
    ]
    const { reader, client, emulator } = await start({
      plan,
      documents: [],
      emulator: { ranges: 3 },
      ...(paths === undefined ? {} : { paths })
    })
    const writer = await createWriter({
      endpoint: emulator.endpoint,
      key: emulator.key,
      database: 'd',
      container: 'c',
      plan
    })
    await Promise.all(documents.map((document) => writer.write({ kind: 'upsert', record: { ...document } })))
    await writer.close()
    expect(writer.stats().written).toBe(documents.length)
    const { resources: all } = await client
      .database('d')
      .container('c')
      .items.query<Document>('SELECT * FROM c')
      .fetchAll()
    let answered = 0
    let found = 0

    const questions = fc.record({
      parts: fc.oneof(record, fc.constantFrom(...documents), fc.constantFrom(...documents)),
      known: fc.oneof(fc.subarray(FIELDS, { minLength: 2 }), fc.shuffledSubarray(FIELDS, { minLength: 4 })),
      isIdKnown: fc.boolean(),
      between:
        sample.bucket === undefined
          ? fc.constant(undefined)
          : fc.option(fc.tuple(fc.constantFrom(...MOMENTS), fc.constantFrom(...MOMENTS)), { nil: undefined }),
      isSelecting: fc.boolean()
    })
    await fc.assert(
      fc.asyncProperty(questions, async ({ parts, known, isIdKnown, between, isSelecting }) => {
        const legal = [...known, ...(isIdKnown ? ['id'] : [])].filter(
          (name) =>
            name === 'id' ||
            (name === 'at' && sample.bucket !== undefined) ||
            sample.components.some((fields) => name in fields) ||
            name in partsOf(plan)
        )
        const asked = Object.fromEntries(
          legal.flatMap((name) => ((parts as Document)[name] === undefined ? [] : [[name, (parts as Document)[name]]]))
        )
        const options = { ...(between === undefined ? {} : { between }), ...(isSelecting ? { select: ['/id'] } : {}) }
        try {
          const given = (await collect(reader.readAll(asked, options))).map(({ id }) => id as string)
          const expected = all
            .filter((document) => belongs(sample, document, asked, between))
            .map(({ id }) => id as string)
          answered++
          found += expected.length
          expect(given.toSorted()).toEqual(expected.toSorted())
        } catch (error) {
          // a query that cannot be answered completely throws
          if (!isKeystampError(error) || !REFUSALS.includes(error.code)) throw error
        }
      }),
      { numRuns: 500 }
    )
    expect(answered).toBeGreaterThan(25)
    expect(found).toBeGreaterThan(25)
  })
})

type Document = Readonly<Record<string, unknown>>

function withoutUndefined(fields: Document): Document {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function stamped(plan: ReturnType<typeof createPlan>, document: Document): (Document & { id: string })[] {
  const copy = { ...document }
  return plan.stamp(copy).ok ? [copy as Document & { id: string }] : []
}

function partsOf(plan: PlanDefinition): Document {
  return 'previous' in plan && plan.previous !== undefined
    ? { n: true }
    : 'levels' in plan && plan.levels !== undefined
      ? { a: true }
      : {}
}

function belongs(
  { components, bucket }: Sample,
  document: Document,
  parts: Document,
  between: readonly (string | number)[] | undefined
): boolean {
  const isSame = Object.entries(parts).every(([name, value]) => {
    const component = components.map((fields) => fields[name]).find((each) => each !== undefined)
    if (name === 'at' && bucket !== undefined) return textOf(bucket, { at: value }) === textOf(bucket, document)
    // no component reads the field: it is the id, a boundary, or a level that is the field itself
    return component === undefined
      ? document[name] === value
      : textOf(component, { [name]: value }) === textOf(component, document)
  })
  return isSame && (between === undefined || isBetween(document['at'], bucket!, between))
}

const plansOfOne = new Map<Component, ReturnType<typeof createPlan>>()

/** The value of one component, from a plan that has only this component. */
function textOf(component: Component, document: Document): unknown {
  const plan =
    plansOfOne.get(component) ?? createPlan({ into: '/k', from: [{ empty: { use: '' }, ...component } as never] })
  plansOfOne.set(component, plan)
  const result = plan.stamp({ ...document })
  return result.ok ? result.values[0] : Symbol('rejected')
}

/** Checks every second of the interval with the platform's time zones, independent of the code of the plan. */
function isBetween(value: unknown, bucket: Component, [from, to]: readonly (string | number)[]): boolean {
  const [first, last] = [from, to].map((moment) => (typeof moment === 'number' ? moment : Date.parse(moment)))
  const isDigits = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)
  if (typeof value === 'number' || (isDigits && bucket['coerce'] === true)) {
    const instant = Math.floor(bucket['epoch'] === 'microseconds' ? Number(value) / 1000 : Number(value) * 1000)
    return bucket['epoch'] !== undefined && instant >= first && instant <= last
  }
  if (isDigits) return false
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return false
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(value.slice(10))) return Date.parse(value) >= first && Date.parse(value) <= last
  const reading = value.length === 10 ? `${value} 00:00` : value.replace('T', ' ').slice(0, 16)
  const zone = (bucket['zone'] as string | undefined) ?? 'UTC'
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone === '+14:00' ? 'Etc/GMT-14' : zone,
    dateStyle: 'short',
    timeStyle: 'short'
  })
  const aroundMs = Date.parse(`${reading.replace(' ', 'T')}:00Z`)
  for (let at = Math.max(first, aroundMs - 86_400_000); at <= Math.min(last, aroundMs + 86_400_000); at += 60_000) {
    if (at % 60_000 === 0 && clock.format(at) === reading) return true
  }
  return false
}
