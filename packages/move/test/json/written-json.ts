import fc from 'fast-check'

/** A JSON value with the order of its members and with all of its occurrences. */
export type Tree = string | number | boolean | null | readonly Tree[] | { readonly members: readonly Member[] }

export interface Member {
  readonly name: string
  readonly value: Tree
}

/** Decisions about the form of written JSON: each call gives a number from 0 up to, but not including, `below`. */
export type Choose = (below: number) => number

const text = fc.string({ unit: 'binary', maxLength: 12 })
const double = fc.double({ noNaN: true, noDefaultInfinity: true })

const { tree } = fc.letrec<{ tree: Tree; member: Member }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    double,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.uniqueArray(tie('member'), { selector: ({ name }) => name, maxLength: 6 }).map((members) => ({ members }))
  ),
  member: fc.record({ name: fc.oneof(fc.constantFrom('a', 'b', 'c', '', 'ttl', '_ts'), text), value: tie('tree') })
}))

export const trees: fc.Arbitrary<Tree> = tree

/** Documents: objects with any members. */
export const documents: fc.Arbitrary<{ readonly members: readonly Member[] }> = fc
  .uniqueArray(fc.record({ name: fc.oneof(fc.constantFrom('id', 'a', 'b', 'c', ''), text), value: trees }), {
    selector: ({ name }) => name,
    maxLength: 8
  })
  .map((members) => ({ members }))

/** Writes a value as JSON in any of its forms. */
export function write(value: Tree, choose: Choose): string {
  const space = (): string => ['', '', '', ' ', '\n', '\t \r'][choose(6)]
  if (typeof value === 'string') return writeString(value, choose)
  if (typeof value === 'number') return writeNumber(value, choose)
  if (value === null || typeof value === 'boolean') return String(value)
  if ('members' in value) {
    const written = shuffled(value.members, choose).flatMap(({ name, value: inner }) => {
      const last = `${space()}${writeString(name, choose)}${space()}:${space()}${write(inner, choose)}${space()}`
      // an earlier occurrence does not count
      const other = write([[], { members: [] }, 1, 'x', null][choose(5)], choose)
      return choose(8) === 0 ? [`${writeString(name, choose)}:${other}`, last] : [last]
    })
    return `{${space()}${written.join(',')}}`
  }
  return `[${space()}${value.map((inner) => `${space()}${write(inner, choose)}${space()}`).join(',')}]`
}

const LETTERS: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

function writeString(value: string, choose: Choose): string {
  let body = ''
  for (const unit of value.split('')) {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
    const isLone = unit >= '\ud800' && unit <= '\udfff'
    if (LETTERS[unit] !== undefined && choose(2) === 0) body += `\\${LETTERS[unit]}`
    else if ('"\\/'.includes(unit) && choose(2) === 0) body += `\\${unit}`
    else if (unit < ' ' || unit === '"' || unit === '\\' || isLone || choose(10) === 0)
      body += `\\u${choose(2) === 0 ? hex : hex.toUpperCase()}`
    else body += unit
  }
  return `"${body}"`
}

function writeNumber(value: number, choose: Choose): string {
  if (Object.is(value, -0)) return ['-0', '-0.0', '-0e5'][choose(3)]
  const forms = [JSON.stringify(value), value.toExponential(), value.toExponential(18).replace('e', 'E')]
  if (Number.isSafeInteger(value)) forms.push(`${value}.0`, `${value}.000000000000000000`, `${value}e0`, `${value}E-0`)
  if (Math.abs(value) < 1e6 && Math.abs(value) > 1e-6) forms.push(`${value.toFixed(20)}00000`)
  return forms.filter((form) => Object.is(Number(form), value))[choose(forms.length)] ?? JSON.stringify(value)
}

function shuffled<T>(values: readonly T[], choose: Choose): T[] {
  const rest = [...values]
  const order: T[] = []
  while (rest.length > 0) order.push(...rest.splice(choose(rest.length), 1))
  return order
}

/** The value as a string that is equal for equal content only. An independent form of what the digest hashes. */
export function canonical(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
  return `{${members.toSorted().join(',')}}`
}
