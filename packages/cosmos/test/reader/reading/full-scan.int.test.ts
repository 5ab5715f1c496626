import { createPlan, isKeystampError, type PlanDefinition } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWriter } from '../../../src/writer/writer.ts'
import { collect, useContainers } from '../start-container.ts'
import { type Component, MOMENTS, record, type Sample, SAMPLES } from './full-scan-samples.ts'

const start = useContainers()

const REFUSALS = ['KEYS_UNBOUNDED', 'OPTION_INVALID', 'PARTS_MISSING']
const FIELDS = ['a', 'b', 'n', 'u', 'at']

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
