import type { FieldValue, Pointer } from '../plan/compiled.ts'
import { ownMember, toFieldValue } from './scalar-at.ts'

/** Reads the members at the top of a record, a value a field; undefined where it is no record, but bytes. */
export type ReadValues = (record: Readonly<Record<string, unknown>>) => FieldValue[] | undefined

type ReadPlain = (...record: Parameters<ReadValues>) => FieldValue[]

/** Members of every object: only for these does it matter whether a member is the record's own. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Makes the reader of a plan whose fields all stand at the top; undefined for any other plan. */
export function createFlatReader(fields: readonly Pointer[]): ReadValues | undefined {
  if (fields.some((pointer) => pointer.length > 1)) return undefined
  const names = fields.map(([name]) => name)
  const readOther = carefulReader(names)
  if (names.some((name) => INHERITED.has(name))) return readOther
  const readPlain = plainReader(names)
  // What an object inherits from a class is no part of its JSON, and no reader would find it there. Its `constructor` tells such an object
  // at less cost than its prototype does; whoever has a member of that name is only read with more care.
  return (record) => (record['constructor'] === Object ? readPlain(record) : readOther(record))
}

function carefulReader(names: readonly string[]): ReadValues {
  return (record) => (ArrayBuffer.isView(record) ? undefined : names.map((name) => toFieldValue(ownMember(record, name))))
}

// One place in the code for each field lets the engine learn one name at each: a loop over the names costs four times as much.
function plainReader(names: readonly string[]): ReadPlain {
  const [a, b, c, d, ...rest] = names
  if (names.length === 1) return (record) => [toFieldValue(record[a])]
  if (names.length === 2) return (record) => [toFieldValue(record[a]), toFieldValue(record[b])]
  if (names.length === 3) return (record) => [toFieldValue(record[a]), toFieldValue(record[b]), toFieldValue(record[c])]
  const readFour: ReadPlain = (record) => [
    toFieldValue(record[a]),
    toFieldValue(record[b]),
    toFieldValue(record[c]),
    toFieldValue(record[d])
  ]
  if (rest.length === 0) return readFour
  return (record) => {
    const values = readFour(record)
    for (let index = 0; index < rest.length; index++) values.push(toFieldValue(record[rest[index]]))
    return values
  }
}
