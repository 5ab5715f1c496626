import fc from 'fast-check'

/** A schema and one of its values, in the form of avsc with wrapped unions and with longs as bigints. */
export interface Sample {
  readonly schema: unknown
  readonly value: unknown
}

/** A schema and the generator of its values. */
interface Draft {
  readonly schema: unknown
  /** Name under which a union wraps a value of the schema. */
  readonly branch: string
  readonly value: fc.Arbitrary<unknown>
}

// only the name of the type, so that avsc uses `exactLong` from its registry
const plain = (type: string, value: fc.Arbitrary<unknown>): Draft => ({ schema: type, branch: type, value })

const PLAIN: readonly Draft[] = [
  plain('null', fc.constant(null)),
  plain('boolean', fc.boolean()),
  plain('int', fc.integer()),
  plain(
    'long',
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.integer().map(BigInt),
      fc.maxSafeInteger().map(BigInt)
    )
  ),
  plain('float', fc.float({ noNaN: true, noDefaultInfinity: true })),
  plain('double', fc.double({ noNaN: true, noDefaultInfinity: true })),
  plain('string', fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))),
  plain(
    'bytes',
    fc.uint8Array().map((bytes) => Buffer.from(bytes))
  )
]

let names = 0
const name = (): string => `N${names++}`

const { draft } = fc.letrec<{ draft: Draft }>((tie) => ({
  draft: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...PLAIN),
    fc.integer({ min: 0, max: 20 }).map(fixed),
    fc.uniqueArray(fc.constantFrom('A', 'B', 'C_1', '_d'), { minLength: 1 }).map(enumeration),
    tie('draft').map(array),
    tie('draft').map(map),
    fc.array(tie('draft'), { maxLength: 5 }).map(record),
    fc.array(tie('draft'), { minLength: 1, maxLength: 4 }).map(union)
  )
}))

/** Schemas of every kind with values of them. */
export const sample: fc.Arbitrary<Sample> = draft.chain(({ schema, value }) =>
  value.map((each) => ({ schema, value: each }))
)

function fixed(size: number): Draft {
  const own = name()
  const value = fc.uint8Array({ minLength: size, maxLength: size }).map((bytes) => Buffer.from(bytes))
  return { schema: { type: 'fixed', name: own, size }, branch: own, value }
}

function enumeration(symbols: readonly string[]): Draft {
  const own = name()
  return { schema: { type: 'enum', name: own, symbols }, branch: own, value: fc.constantFrom(...symbols) }
}

function array(items: Draft): Draft {
  return {
    schema: { type: 'array', items: items.schema },
    branch: 'array',
    value: fc.array(items.value, { maxLength: 4 })
  }
}

function map(values: Draft): Draft {
  const value = fc.dictionary(
    fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__'),
    values.value,
    { maxKeys: 4, noNullPrototype: true }
  )
  return { schema: { type: 'map', values: values.schema }, branch: 'map', value }
}

function record(fields: readonly Draft[]): Draft {
  const own = name()
  const named = fields.map((field, index) => [`f${index}`, field] as const)
  return {
    schema: { type: 'record', name: own, fields: named.map(([field, { schema }]) => ({ name: field, type: schema })) },
    branch: own,
    value: fc.record(Object.fromEntries(named.map(([field, { value }]) => [field, value])), { noNullPrototype: true })
  }
}

function union(drafts: readonly Draft[]): Draft {
  const branches = [
    ...new Map(drafts.filter(({ branch }) => branch !== '').map((each) => [each.branch, each])).values()
  ]
  if (branches.length === 0) return PLAIN[0]
  const values = branches.map(({ branch, value }) =>
    branch === 'null' ? value : value.map((each) => ({ [branch]: each }))
  )
  return { schema: branches.map(({ schema }) => schema), branch: '', value: fc.oneof(...values) }
}
