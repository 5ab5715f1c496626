import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toPosition } from '@keystamp/core'
import { type Predicate, toShapeSteps } from '../../src/config/from-connect/shape-steps.ts'
import { shaped } from './shape-of.ts'

interface Case {
  readonly name: string
  readonly transforms: readonly Readonly<Record<string, string>>[]
  readonly predicates?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly records: readonly {
    readonly value?: unknown
    readonly key?: unknown
    readonly headers?: readonly string[]
  }[]
  /** Values where the sink differs from Kafka on purpose. */
  readonly ours?: readonly unknown[]
}

interface Result {
  readonly case: string
  readonly value?: unknown
  readonly key?: unknown
  readonly dropped?: true
  readonly failed?: string
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`kafka/${name}`, import.meta.url), 'utf8'))
const cases = read('cases.json') as readonly Case[]
// made by the transforms of Apache Kafka 4.3.0: see kafka/RunTransforms.java
const results = read('kafka.json') as readonly Result[]

const rows = cases.flatMap((each) => each.records.map((record, index) => ({ each, record, index })))

describe('steps that the translation of a transform gives', () => {
  test('are tested with a result of Kafka for every record', () => {
    expect(results.map((result) => result.case)).toEqual(rows.map(({ each }) => each.name))
  })

  const same = rows
    .map((row, index) => ({ ...row, kafka: results[index] }))
    .filter(({ each }) => each.ours === undefined)
  test.each(same.map((row) => [row.each.name, row] as const))('do what Kafka does: %s', (_name, row) => {
    expect(resultOf(row)).toEqual(row.kafka.failed === undefined ? withoutName(row.kafka) : 'rejected')
  })

  const differing = rows.filter(({ each }) => each.ours !== undefined)
  test.each(differing.map((row) => [row.each.name, row] as const))('differ on purpose: %s', (_name, row) => {
    const result = resultOf(row)

    expect(typeof result === 'string' ? result : result.value).toEqual(row.each.ours![row.index])
  })
})

function withoutName({ value, key, dropped }: Result): object {
  return dropped === true ? { dropped } : { value, key }
}

function resultOf({ each, record }: (typeof rows)[number]): 'rejected' | Pick<Result, 'value' | 'key' | 'dropped'> {
  const steps = each.transforms.flatMap((options) => stepsOf(options, each.predicates ?? {}))
  const { value = null, key = null, headers = [] } = record
  const result = shaped(steps, value === null ? null : JSON.stringify(value), {
    key: key === null ? null : JSON.stringify(key),
    keyFormat: { format: 'json' },
    record: {
      topic: 'drives',
      partition: 3,
      offset: toPosition(42),
      timestamp: '1533798900250',
      headers: Object.fromEntries(headers.map((name) => [name, 'x']))
    }
  })
  if (!result.ok) return 'rejected'
  if (result.change?.kind === 'ignore') return { dropped: true }
  return {
    value: result.json === undefined ? null : JSON.parse(Buffer.from(result.json).toString()),
    key:
      typeof result.key === 'object' && result.key !== null
        ? JSON.parse(Buffer.from(result.key).toString())
        : result.key
  }
}

function stepsOf(
  { type, predicate, negate, ...options }: Readonly<Record<string, string>>,
  predicates: NonNullable<Case['predicates']>
): readonly object[] {
  const made = toShapeSteps(type, new Map(Object.entries(options)), toPredicate(predicate, negate, predicates))
  if (made === undefined || 'why' in made) throw new Error(`${type} is refused: ${made?.why}`)
  return made.steps
}

function toPredicate(
  name: string | undefined,
  negate: string | undefined,
  predicates: NonNullable<Case['predicates']>
): Predicate | undefined {
  if (name === undefined) return undefined
  const { type, ...options } = predicates[name]
  return { type, negate: negate === 'true', options: new Map(Object.entries(options)) }
}
