import type { CompiledVersions } from '../key/compile-plan.ts'
import type { Version } from '../key/version.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import type { KeyValue } from '../key/field-value.ts'
import type { Source } from '../key/kafka.ts'
import { createPartsReader, type Key, type KnownParts, knownId, type PartitionKey, partsMissing, toPartitionKey } from './known-parts.ts'

/** Exact key of a record, and its keys under older versions where the parts do not determine the version. */
export interface ExactKey extends PartitionKey {
  /** Keys under older versions of the plan, newest first; empty where the parts have the boundary field, or there are no older versions. */
  readonly older: readonly PartitionKey[]
}

/** Creates a function that gives the key of the record with these parts. It throws PARTS_MISSING where they do not determine the key. */
export function createKeyFor(plan: CompiledVersions): (parts: object, source?: Source) => ExactKey {
  const read = createPartsReader(plan)
  const idField = plan.fields.findIndex((pointer) => pointer.length === 1 && pointer[0] === 'id')
  return (parts, source) => {
    const known = read(parts, source)
    const keys = known.versions.map((number) => keyUnder(plan.versions[number], number, known, idField))
    const made = keys.filter((key): key is PartitionKey => 'values' in key)
    const [newest, ...older] = made
    if (newest === undefined) throw partsMissing(keys[0] as Rejection)
    return { ...newest, older: older.filter(({ key }) => !sameKey(key, newest.key)) }
  }
}

const DRAWN = 'The suffix was random when the record was written: keysFor lists every possible key.'

function keyUnder(version: Version, number: number, known: KnownParts, idField: number): PartitionKey | Rejection {
  const id = knownId(version, known, idField)
  const values: KeyValue[] = []
  for (const level of version.levels) {
    if (level.rules.suffix?.by === 'random') return reject('FIELD_MISSING', '', DRAWN)
    const value = level.value(known.values, known.source, id)
    if (typeof value === 'object' && value !== null) return value
    values.push(value)
  }
  return toPartitionKey(values, number, version.levels.length)
}

function sameKey(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
