import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChangeOptions, createChangeReader } from '../../src/change/change-reader.ts'

const encoder = new TextEncoder()
const PLACEHOLDER = '__debezium_unavailable_value'

/** The change that a JSON string describes, with its rows as objects. */
function read(envelope: string | object, options?: ChangeOptions): unknown {
  const text = typeof envelope === 'string' ? envelope : JSON.stringify(envelope)
  const change = createChangeReader(options).read(encoder.encode(text))
  if (!change.ok) return { code: change.code, path: change.path }
  const [before, after] = [change.before, change.after].map((row) => row && (JSON.parse(textOf(row)) as unknown))
  return { kind: change.kind, before, after }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

describe('a change of Debezium', () => {
  it.each(['c', 'r', 'u'])('with the op %s stores the row after the change', (op) => {
    expect(read({ before: null, after: { id: 1 }, source: { op: 'x' }, op })).toEqual({
      kind: 'store',
      before: undefined,
      after: { id: 1 }
    })
  })

  it('has the row before an update', () => {
    expect(read({ before: { id: 1, a: 1 }, after: { id: 1, a: 2 }, op: 'u' })).toMatchObject({
      before: { id: 1, a: 1 }
    })
  })

  it('with the op d deletes the row before the change', () => {
    expect(read({ before: { id: 1 }, after: null, op: 'd' })).toEqual({
      kind: 'delete',
      before: { id: 1 },
      after: undefined
    })
    expect(read({ op: 'd' })).toEqual({ kind: 'delete', before: undefined, after: undefined })
    expect(read({ op: 'd' }, { needsBefore: true })).toEqual({ code: 'BEFORE_MISSING', path: '/before' })
  })

  it('is read from the payload of an envelope with a schema', () => {
    const payload = { before: null, after: { id: 1 }, op: 'c' }

    expect(read({ schema: { type: 'struct', fields: [{ field: 'op' }] }, payload })).toMatchObject({ after: { id: 1 } })
    expect(read({ payload, schema: null })).toMatchObject({ kind: 'store' })
  })

  it('has rows of MongoDB that are strings of JSON', () => {
    const row = { _id: { $numberLong: '1004' }, name: 'a "quoted" \\ word, é 😀' }

    expect(read({ before: JSON.stringify(row), after: null, op: 'd' })).toMatchObject({ before: row })
  })

  it('keeps the bytes of a row', () => {
    const row = '{ "n" : 1.50, "big":9007199254740993,\n"s":"\\u00e9" }'
    const json = encoder.encode(` {"op":"c","after": ${row} ,"before":null} \r\n`)
    const change = createChangeReader().read(json)

    expect(change.ok && textOf(change.after!)).toBe(row)
    expect(change.ok && change.after!.buffer).toBe(json.buffer)
  })

  it('is ignored if it is a tombstone', () => {
    expect(read(' null\n')).toMatchObject({ kind: 'ignore' })
    expect(read({ schema: null, payload: null })).toMatchObject({ kind: 'ignore' })
  })

  it.each<[string, unknown, string, string]>([
    ['has no op', { before: null, after: { id: 1 } }, 'OPERATION_MISSING', '/op'],
    ['has no op in its payload', { schema: null, payload: { after: {} } }, 'OPERATION_MISSING', '/payload/op'],
    ['is a plain row', { id: 1 }, 'OPERATION_MISSING', '/op'],
    ['has an unknown op', { after: { id: 1 }, op: 'x' }, 'OPERATION_UNKNOWN', '/op'],
    ['has an op of two characters', { after: { id: 1 }, op: 'cc' }, 'OPERATION_UNKNOWN', '/op'],
    ['has an op that is not a string', { after: { id: 1 }, op: 999 }, 'OPERATION_UNKNOWN', '/op'],
    ['has no row', { after: null, op: 'u' }, 'AFTER_MISSING', '/after'],
    ['empties a table', { before: null, after: null, op: 't' }, 'TRUNCATE_REJECTED', ''],
    ['is a list', [{ op: 'c' }], 'JSON_NOT_OBJECT', '']
  ])('is rejected if it %s', (_what, envelope, code, path) => {
    expect(read(envelope as object)).toEqual({ code, path })
  })

  it.each(['', '{', '{"op":"c","after":{"a":}}', '{"op":"c","after":{}}}', 'text', '{"op":"c" "after":{}}'])(
    'is rejected if it is not valid JSON: %j',
    (text) => {
      expect(read(text)).toMatchObject({ code: 'JSON_INVALID' })
    }
  )

  it('without a row is handled as the options say', () => {
    expect(read({ op: 't' }, { truncate: 'ignore' })).toMatchObject({ kind: 'ignore' })
    expect(read({ op: 'm', message: {} })).toMatchObject({ kind: 'ignore' })
    expect(read({ op: 'm', message: {} }, { message: 'reject' })).toEqual({ code: 'MESSAGE_REJECTED', path: '' })
  })

  it.each([PLACEHOLDER, Buffer.from(PLACEHOLDER).toString('base64')])(
    'is rejected if an update has the placeholder of an unknown value: %s',
    (note) => {
      const envelope = { before: { note }, after: { zzz: 'XX', note } }

      expect(read({ ...envelope, op: 'u' })).toEqual({ code: 'VALUE_UNAVAILABLE', path: '/after' })
      expect(read({ ...envelope, op: 'u' }, { unavailable: 'store' })).toMatchObject({ kind: 'store' })
      expect(read({ ...envelope, op: 'd' })).toMatchObject({ kind: 'delete' })
      expect(read({ after: { note: `${note}.` }, op: 'u' })).toMatchObject({ kind: 'store' })
    }
  )

  it('says where its rows are', () => {
    const text = '{"schema":null,"payload":{"op":"u","before":{"a":1},"after":"{}"}}'
    const reader = createChangeReader()
    reader.read(encoder.encode(text))

    expect(
      (['before', 'after'] as const).map((row) => reader.placeOf(row)).map(({ start, end }) => text.slice(start, end))
    ).toEqual(['{"a":1}', '"{}"'])
  })

  it('is read as JSON.parse reads it, whatever its rows contain and however its properties are ordered', () => {
    const reader = createChangeReader()
    const row = fc.option(fc.dictionary(fc.constantFrom('op', 'after', 'before', 'payload', 'a'), fc.jsonValue()), {
      nil: null
    })
    const member = fc.tuple(fc.constantFrom('before', 'after', 'source', 'ts_ms'), row)
    fc.assert(
      fc.property(fc.array(member), fc.nat(6), fc.constantFrom(0, 1, 3), (members, at, indent) => {
        const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value, null, indent)}`)
        const text = `{${texts.toSpliced(at, 0, '"op":"u"').join(' ,\n')}}`
        const { after = null, before = null } = JSON.parse(text) as {
          readonly after?: unknown
          readonly before?: unknown
        }

        const change = reader.read(encoder.encode(text))

        const found = change.ok ? [change.before, change.after].map(valueOf) : change.code
        expect(found).toEqual(after === null ? 'AFTER_MISSING' : [before, after])
      })
    )
  })
})

function valueOf(row: Uint8Array | undefined): unknown {
  return row === undefined ? null : JSON.parse(textOf(row))
}
