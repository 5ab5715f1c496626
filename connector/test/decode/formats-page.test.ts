import { readFile } from 'node:fs/promises'

import avro from 'avsc'
import { expect, it } from 'vitest'

import { exactLong } from './avro/exact-long.ts'
import { readerOf } from './avro/read-avro.ts'

const int = (logicalType?: string): object => ({ type: 'int', logicalType })
const long = (logicalType?: string): object => ({ type: 'long', logicalType })
const MILLIS = 1_533_798_900_250n

/** A schema and a value for each row of the page. */
const EXAMPLES: Readonly<Record<string, readonly [schema: unknown, value: unknown]>> = {
  null: ['boolean', true],
  int: [int(), -5],
  long: [long(), 2n ** 53n + 1n],
  double: ['double', 0.1],
  float: ['float', 36.6],
  string: [{ type: 'enum', name: 'E', symbols: ['off', 'on'] }, 'on'],
  bytes: ['bytes', Buffer.from([1, 2])],
  array: [{ type: 'array', items: 'int' }, [1, 2]],
  map: [{ type: 'map', values: 'int' }, { a: 1 }],
  union: [['null', 'int'], { int: 1 }],
  decimal: [{ type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 }, Buffer.from([0, 150])],
  date: [int('date'), 17_752],
  'time-millis': [int('time-millis'), 26_100_250],
  'time-micros': [long('time-micros'), 26_100_250_001n],
  'timestamp-millis': [long('timestamp-millis'), MILLIS],
  'timestamp-micros': [long('timestamp-micros'), MILLIS * 1000n + 1n],
  'timestamp-nanos': [long('timestamp-nanos'), MILLIS * 1_000_000n + 1002n],
  'local-timestamp-millis': [long('local-timestamp-millis'), MILLIS],
  uuid: [{ type: 'string', logicalType: 'uuid' }, 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  duration: [
    { type: 'fixed', name: 'F', size: 12, logicalType: 'duration' },
    Buffer.from('0100000002000000bc0b0000', 'hex')
  ]
}

it('docs/sink-formats.md shows the real conversion of each type', async () => {
  const page = await readFile(new URL('../../../docs/sink-formats.md', import.meta.url), 'utf8')
  const rows = page.split('## ')[1].matchAll(/^\| `?([\w -]+?)`?[ ,].*\| `([^`]+)` +\|$/gm)

  const shown = [...rows].map(([, type, example]) => [type, example])

  expect(shown).toEqual(
    Object.entries(EXAMPLES).map(([type, [schema, value]]) => [type, readerOf(schema)(encoded(schema, value))])
  )
})

function encoded(schema: unknown, value: unknown): Buffer {
  return avro.Type.forSchema(schema as never, { typeHook: longHook, wrapUnions: 'always' }).toBuffer(value)
}

function longHook(schema: unknown): avro.Type | undefined {
  return (schema as { readonly type?: unknown }).type === 'long' ? exactLong : undefined
}
