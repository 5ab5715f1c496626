import * as fc from 'fast-check'

/** A document of the tests; the properties may be absent. */
export interface TestDocument {
  readonly id: string
  readonly pk: string
  readonly a?: number
  readonly b?: string
  readonly n: number
  readonly tags?: readonly string[]
  readonly subs: readonly TestPart[]
}

/** An element of an array; its `pk` is no partition key. */
interface TestPart {
  readonly k: string
  readonly v?: number
  readonly pk?: string
}

/** A row of the sources of a query: a document, and an element of each array that the query joins. */
interface Row {
  readonly c: TestDocument
  readonly t?: string
  readonly s?: TestPart
}

/** SQL, and the same as a function. */
interface Term<Value = unknown> {
  readonly sql: string
  readonly of: (row: Row) => Value
}

/** A query, and its rows over documents. */
export interface TestQuery {
  readonly sql: string
  /** Whether the order of the rows matters. */
  readonly isOrdered: boolean
  readonly rows: (documents: readonly TestDocument[]) => unknown[]
}

const letter = fc.constantFrom('x', 'y', 'z')
const small = fc.integer({ min: -3, max: 9 })

/** Documents with ids from 0 up. */
export const arbitraryDocuments: fc.Arbitrary<TestDocument[]> = fc
  .array(
    fc.record(
      {
        pk: fc.integer({ min: 0, max: 30 }).map((n) => `key-${n}`),
        a: fc.integer({ min: 0, max: 2 }),
        b: letter,
        n: small,
        tags: fc.array(letter, { maxLength: 3 }),
        subs: fc.array(
          fc.record({ k: letter, v: small, pk: fc.constantFrom('key-1', 'key-5') }, { requiredKeys: ['k'] }),
          { maxLength: 3 }
        )
      },
      { requiredKeys: ['pk', 'n', 'subs'] }
    ),
    { maxLength: 40 }
  )
  .map((documents) => documents.map((document, index) => ({ ...document, id: `i${index}` })))

const ofDocument: readonly Term[] = [
  { sql: 'c.a', of: ({ c }) => c.a },
  { sql: 'c.b', of: ({ c }) => c.b },
  { sql: 'c.n', of: ({ c }) => c.n },
  { sql: 'UPPER(c.b)', of: ({ c }) => c.b?.toUpperCase() },
  { sql: '(c.n % 3)', of: ({ c }) => c.n % 3 || 0 },
  { sql: 'IS_DEFINED(c.a)', of: ({ c }) => c.a !== undefined }
]

const ofSubqueries: readonly Term[] = [
  { sql: '(SELECT VALUE COUNT(1) FROM x IN c.tags)', of: ({ c }) => c.tags?.length ?? 0 },
  {
    sql: '(SELECT VALUE SUM(x.v) FROM x IN c.subs WHERE x.k != c.b)',
    of: ({ c }) => sum(c.subs.filter(({ k }) => c.b !== undefined && k !== c.b).map(({ v }) => v))
  },
  {
    sql: 'ARRAY(SELECT VALUE x.v FROM x IN c.subs WHERE x.v > 1)',
    of: ({ c }) => c.subs.flatMap(({ v }) => (v !== undefined && v > 1 ? [v] : []))
  },
  { sql: 'ARRAY(SELECT DISTINCT VALUE x FROM x IN c.tags)', of: ({ c }) => [...new Set(c.tags)] },
  {
    sql: 'ARRAY(SELECT x.k, COUNT(x.v) AS n FROM x IN c.subs GROUP BY x.k)',
    of: ({ c }) =>
      [...new Set(c.subs.map(({ k }) => k))].map((key) => ({
        k: key,
        n: c.subs.filter(({ k, v }) => k === key && v !== undefined).length
      }))
  }
]

const ofTag: readonly Term[] = [{ sql: 't', of: ({ t }) => t }]
const ofSub: readonly Term[] = [
  { sql: 's.k', of: ({ s }) => s?.k },
  { sql: 's.v', of: ({ s }) => s?.v }
]

/** Sources, the rows that they have for a document, and the terms that they allow. */
interface TestSource {
  readonly sql: string
  readonly rowsOf: (c: TestDocument) => Row[]
  readonly terms: readonly Term[]
}

const tagsOf = (c: TestDocument): readonly string[] => c.tags ?? []

const sources: readonly TestSource[] = [
  { sql: 'c', rowsOf: (c) => [{ c }], terms: ofDocument },
  { sql: 'c JOIN t IN c.tags', rowsOf: (c) => tagsOf(c).map((t) => ({ c, t })), terms: [...ofDocument, ...ofTag] },
  { sql: 'c JOIN s IN c.subs', rowsOf: (c) => c.subs.map((s) => ({ c, s })), terms: [...ofDocument, ...ofSub] },
  {
    sql: 'c JOIN t IN c.tags JOIN s IN c.subs',
    rowsOf: (c) => tagsOf(c).flatMap((t) => c.subs.map((s) => ({ c, t, s }))),
    terms: [...ofDocument, ...ofTag, ...ofSub]
  },
  {
    sql: 'c JOIN (SELECT VALUE x FROM x IN c.subs WHERE x.v >= c.n) s',
    rowsOf: (c) => c.subs.filter(({ v }) => v !== undefined && v >= c.n).map((s) => ({ c, s })),
    terms: [...ofDocument, ...ofSub]
  },
  { sql: 't IN c.tags', rowsOf: (c) => tagsOf(c).map((t) => ({ c, t })), terms: ofTag }
]

const conditionsOf = ({ terms }: TestSource): fc.Arbitrary<Term<boolean | undefined>> => {
  const hasDocument = terms.includes(ofDocument[0])
  const plain: Term<boolean | undefined>[] = [
    { sql: 'true', of: () => true },
    ...(hasDocument ? documentConditions : []),
    ...(terms.includes(ofSub[0]) ? [{ sql: 's.pk = "key-5"', of: ({ s }: Row) => s?.pk === 'key-5' }] : []),
    ...(terms.includes(ofTag[0]) ? [{ sql: 't != "y"', of: ({ t }: Row) => t !== 'y' }] : [])
  ]
  const one = fc.constantFrom(...plain)
  return fc.oneof(
    one,
    fc.tuple(one, one).map(([left, right]) => ({
      sql: `(${left.sql} AND ${right.sql})`,
      of: (row: Row) => left.of(row) === true && right.of(row) === true
    })),
    fc.tuple(one, one).map(([left, right]) => ({
      sql: `(${left.sql} OR ${right.sql})`,
      of: (row: Row) => left.of(row) === true || right.of(row) === true
    }))
  )
}

const documentConditions: readonly Term<boolean | undefined>[] = [
  { sql: 'c.n > 2', of: ({ c }) => c.n > 2 },
  { sql: 'c.a = 1', of: ({ c }) => c.a === 1 },
  { sql: 'NOT IS_DEFINED(c.b)', of: ({ c }) => c.b === undefined },
  { sql: 'c.pk IN ("key-1", "key-2", "key-3", "key-4")', of: ({ c }) => /^key-[1-4]$/.test(c.pk) },
  { sql: 'c.pk = "key-5"', of: ({ c }) => c.pk === 'key-5' },
  { sql: 'EXISTS(SELECT VALUE x FROM x IN c.tags WHERE x = c.b)', of: ({ c }) => tagsOf(c).some((x) => x === c.b) },
  {
    sql: 'NOT EXISTS(SELECT VALUE x FROM x IN c.subs WHERE x.v > 5)',
    of: ({ c }) => !c.subs.some(({ v }) => v !== undefined && v > 5)
  },
  { sql: '(SELECT VALUE MAX(x.v) FROM x IN c.subs) > c.n', of: ({ c }) => (highest(c.subs) ?? Number.NaN) > c.n }
]

const highest = (subs: TestDocument['subs']): number | undefined =>
  subs.reduce<number | undefined>((best, { v }) => (v === undefined || v < (best ?? v) ? best : v), undefined)

const isNumber = (value: unknown): value is number => typeof value === 'number'
const sum = (values: readonly unknown[]): number => values.filter(isNumber).reduce((total, value) => total + value, 0)

interface Aggregate {
  readonly sql: string
  readonly of: (rows: readonly Row[]) => unknown
}

const aggregatesOf = ({ terms }: TestSource): fc.Arbitrary<Aggregate> => {
  const counted = terms.map((term) => ({ name: 'COUNT', term, of: (values: unknown[]) => values.length }))
  const numbers = terms.filter(({ sql }) => ['c.a', 'c.n', 's.v'].includes(sql))
  const calls = [...counted, ...numbers.flatMap((term) => numeric.map((each) => ({ ...each, term })))]
  return fc.constantFrom(...calls).map(({ name, term, of }) => ({
    sql: `${name}(${term.sql})`,
    of: (rows) => of(rows.map((row) => term.of(row)).filter((value) => value !== undefined))
  }))
}

const numeric: readonly { readonly name: string; readonly of: (values: unknown[]) => unknown }[] = [
  { name: 'SUM', of: sum },
  { name: 'MIN', of: (values) => (values.length === 0 ? undefined : Math.min(...(values as number[]))) },
  { name: 'MAX', of: (values) => (values.length === 0 ? undefined : Math.max(...(values as number[]))) },
  { name: 'AVG', of: (values) => (values.length === 0 ? undefined : sum(values) / values.length) }
]

/** One line for each value: equal values have equal lines, also if their properties have another order. */
export const lineOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part
  ) ?? 'undefined'

const different = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [lineOf(value), value])).values()
]

/** An object without absent properties. */
const record = (entries: readonly (readonly [string, unknown])[]): unknown =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

const columns = (terms: readonly { readonly sql: string }[], from = 0): string =>
  terms.map(({ sql }, index) => `${sql} AS v${index + from}`).join(', ')

const listed = (terms: readonly Term[], row: Row): unknown =>
  record(terms.map((term, index) => [`v${index}`, term.of(row)] as const))

type Shape = (
  source: TestSource,
  where: string,
  rowsOf: (documents: readonly TestDocument[]) => Row[]
) => fc.Arbitrary<TestQuery>

const termsOf = ({ terms }: TestSource, more: readonly Term[], maxLength: number): fc.Arbitrary<Term[]> => {
  const all = terms.includes(ofDocument[0]) ? [...terms, ...more] : terms
  return fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: Math.min(maxLength, all.length) })
}

const plain: Shape = (source, where, rowsOf) =>
  fc.tuple(termsOf(source, ofSubqueries, 3), fc.boolean()).map(([terms, distinct]) => ({
    sql: `SELECT ${distinct ? 'DISTINCT ' : ''}${columns(terms)} FROM ${source.sql} WHERE ${where}`,
    isOrdered: false,
    rows: (documents) => {
      const rows = rowsOf(documents).map((row) => listed(terms, row))
      return distinct ? different(rows) : rows
    }
  }))

// the client loses 0, false and the empty string after DISTINCT VALUE, but no arrays
const values: Shape = (source, where, rowsOf) =>
  fc.tuple(termsOf(source, ofSubqueries, 1), fc.boolean()).map(([[term], distinct]) => ({
    sql: `SELECT ${distinct ? `DISTINCT VALUE [${term.sql}]` : `VALUE ${term.sql}`} FROM ${source.sql} WHERE ${where}`,
    isOrdered: false,
    rows: (documents) => {
      const found = rowsOf(documents).map((row) => term.of(row))
      const present = found.filter((value) => value !== undefined)
      return distinct ? different(found.map((value) => (value === undefined ? [] : [value]))) : present
    }
  }))

const grouped: Shape = (source, where, rowsOf) =>
  fc.tuple(termsOf(source, [], 2), fc.array(aggregatesOf(source), { maxLength: 3 })).map(([keys, aggregates]) => ({
    sql:
      `SELECT ${[columns(keys), columns(aggregates, keys.length)].filter((part) => part !== '').join(', ')} ` +
      `FROM ${source.sql} WHERE ${where} GROUP BY ${keys.map(({ sql }) => sql).join(', ')}`,
    isOrdered: false,
    rows: (documents) =>
      groupsOf(rowsOf(documents), keys).map((rows) =>
        record([
          ...keys.map((key, index) => [`v${index}`, key.of(rows[0])] as const),
          ...aggregates.map((aggregate, index) => [`v${index + keys.length}`, aggregate.of(rows)] as const)
        ])
      )
  }))

const groupsOf = (rows: readonly Row[], keys: readonly Term[]): Row[][] => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const line = keys.map((key) => lineOf(key.of(row))).join()
    groups.set(line, [...(groups.get(line) ?? []), row])
  }
  return [...groups.values()]
}

const aggregated: Shape = (source, where, rowsOf) =>
  fc.array(aggregatesOf(source), { minLength: 1, maxLength: 3 }).map((aggregates) => ({
    sql: `SELECT ${columns(aggregates)} FROM ${source.sql} WHERE ${where}`,
    isOrdered: false,
    rows: (documents) => {
      const rows = rowsOf(documents)
      return [record(aggregates.map((aggregate, index) => [`v${index}`, aggregate.of(rows)] as const))]
    }
  }))

const direction = fc.constantFrom('', ' ASC', ' DESC')

/** Sorted by a number and the id, which a composite index of the container serves. */
const ordered: Shape = (_, where, rowsOf) =>
  fc
    .tuple(direction, direction, fc.option(fc.tuple(fc.nat(6), fc.nat(8)), { nil: undefined }))
    .map(([first, second, window]) => ({
      sql:
        `SELECT c.id, c.n FROM c WHERE ${where} ORDER BY c.n${first}, c.id${second}` +
        (window === undefined ? '' : ` OFFSET ${window[0]} LIMIT ${window[1]}`),
      isOrdered: true,
      rows: (documents) => {
        const signs = [first, second].map((each) => (each === ' DESC' ? -1 : 1))
        const rows = rowsOf(documents)
          .map(({ c: { id, n } }) => ({ id, n }))
          .toSorted((one, other) => (one.n - other.n) * signs[0] || (one.id < other.id ? -1 : 1) * signs[1])
        return window === undefined ? rows : rows.slice(window[0], window[0] + window[1])
      }
    }))

/** Queries with JOIN, subqueries, GROUP BY, DISTINCT, aggregates and ORDER BY. */
export const arbitraryQuery: fc.Arbitrary<TestQuery> = fc
  .tuple(fc.constantFrom(...sources), fc.constantFrom(plain, values, grouped, grouped, aggregated, ordered))
  .map(([source, shape]) => ({ source: shape === ordered ? sources[0] : source, shape }))
  .chain(({ source, shape }) =>
    conditionsOf(source).chain((where) =>
      shape(source, where.sql, (documents) => documents.flatMap(source.rowsOf).filter((row) => where.of(row) === true))
    )
  )
