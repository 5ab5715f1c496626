import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shapedText } from './shape-of.ts'

type Value = string | number | boolean | null | Value[] | { [name: string]: Value }
type Doc = { [name: string]: Value }

const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'é', '"', '\\', 'constructor', '__proto__x')
const { doc } = fc.letrec<{ doc: Doc; value: Value }>((tie) => ({
  doc: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.integer(),
    // JSON.stringify writes -0 as 0
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('doc')
  )
}))
const pointer = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => names.map((each) => `/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
const spaces = fc.constantFrom(undefined, 1, 2)

/** Applies steps to bytes, and parses the document; undefined if the record is rejected. */
function onBytes(steps: readonly object[], given: Doc, space: number | undefined): Value | undefined {
  const text = shapedText(steps, JSON.stringify(given, null, space))!
  return text.startsWith('SHAPE_FAILED') ? undefined : (JSON.parse(text) as Value)
}

const parts = (path: string): string[] => path.slice(1).split('/')

function holderOf(root: Doc, path: string): { holder: Doc; last: string } | undefined {
  const names = parts(path)
  const last = names.pop()!
  let holder: Value = root
  for (const each of names) {
    if (!isObject(holder) || !Object.hasOwn(holder, each)) return undefined
    holder = holder[each]
  }
  return isObject(holder) && Object.hasOwn(holder, last) ? { holder, last } : undefined
}

function isObject(value: Value): value is Doc {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function leaves(value: Value, prefix: string, into: Map<string, Value>, isTop = true): boolean {
  if (!isObject(value) || (!isTop && Object.keys(value).length === 0)) {
    if (into.has(prefix)) return false
    into.set(prefix, value)
    return true
  }
  return Object.entries(value).every(([each, inner]) => leaves(inner, isTop ? each : `${prefix}.${each}`, into, false))
}

describe('a step on bytes does the same as on objects', () => {
  test('exclude', () => {
    fc.assert(
      fc.property(doc, fc.array(pointer, { minLength: 1, maxLength: 3 }), spaces, (given, fields, space) => {
        const expected = structuredClone(given)
        for (const field of fields) {
          const found = holderOf(expected, field)
          if (found !== undefined) delete found.holder[found.last]
        }
        expect(onBytes([{ exclude: fields }], given, space)).toEqual(expected)
      })
    )
  })

  test('mask', () => {
    fc.assert(
      fc.property(doc, pointer, spaces, (given, field, space) => {
        const expected = structuredClone(given)
        const found = holderOf(expected, field)
        if (found !== undefined) found.holder[found.last] = emptyOf(found.holder[found.last])
        const result = onBytes([{ mask: { fields: [field] } }], given, space)
        // a record is rejected only if the field is inside of an array or a scalar
        expect(result).toEqual(result === undefined && found === undefined ? undefined : expected)
      })
    )
  })

  test('rename, which loses no field', () => {
    fc.assert(
      fc.property(doc, pointer, pointer, spaces, (given, from, to, space) => {
        expect(onBytes([{ rename: { [from]: to } }], given, space)).toEqual(renamed(given, from, to))
      })
    )
  })

  test('flatten, which loses no field', () => {
    fc.assert(
      fc.property(doc, spaces, (given, space) => {
        const flat = new Map<string, Value>()
        const isUnique = leaves(given, '', flat)
        const result = onBytes([{ flatten: {} }], given, space)
        expect(result).toEqual(isUnique ? Object.fromEntries(flat) : undefined)
      })
    )
  })

  test('cast to string and back, which keeps every integer', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const steps = [{ cast: { '/a': 'string' } }, { cast: { '/a': 'int64' } }]

        expect(onBytes(steps, { a: value }, undefined)).toEqual({ a: value === 0 ? 0 : value })
      })
    )
  })

  test('hoist and extract, which restore the value', () => {
    fc.assert(
      fc.property(doc, spaces, (given, space) => {
        expect(onBytes([{ hoist: 'x' }, { extract: '/x' }], given, space)).toEqual(given)
      })
    )
  })
})

test('no bytes make a step throw', () => {
  const steps = [
    { rename: { '/a': '/z/y' } },
    { cast: { '/b': 'int32' } },
    { flatten: {} },
    { timestamp: { fields: ['/c'], to: 'iso' } },
    { mask: { fields: ['/d'], hash: 'sha256' } }
  ]
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    doc.chain((given) => {
      const whole = Buffer.from(JSON.stringify(given))
      return fc.tuple(fc.nat(whole.length), fc.nat(255)).map(([at, byte]) => {
        const changed = Buffer.from(whole)
        if (at < changed.length) changed[at] = byte
        return changed
      })
    })
  )
  fc.assert(
    fc.property(bytes, (value) => {
      expect(() => shapedText(steps, value)).not.toThrow()
    }),
    { numRuns: 500 }
  )
})

function emptyOf(value: Value): Value {
  if (Array.isArray(value)) return []
  if (isObject(value)) return {}
  return typeof value === 'string' ? '' : typeof value === 'number' ? 0 : value === null ? null : false
}

/** Undefined if the record is rejected: another value is in the way. */
function renamed(given: Doc, from: string, to: string): Doc | undefined {
  const root = structuredClone(given)
  const moved = holderOf(root, from)
  if (moved === undefined) return root
  const value = moved.holder[moved.last]
  delete moved.holder[moved.last]
  if (holderOf(root, to) !== undefined) return undefined
  const names = parts(to)
  const last = names.pop()!
  let holder = root
  for (const each of names) {
    if (!Object.hasOwn(holder, each)) holder[each] = {}
    const inner = holder[each]
    if (!isObject(inner)) return undefined
    holder = inner
  }
  holder[last] = value
  return root
}
