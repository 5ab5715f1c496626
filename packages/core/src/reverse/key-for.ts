import type { CompiledVersions } from '../key/compile-plan.ts'
import type { Version } from '../key/version.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import type { KeyValue } from '../key/field-value.ts'
import type { Source } from '../key/kafka.ts'
import { createPartsReader, type Key, type KnownParts, knownId, type PartitionKey, partsMissing, toPartitionKey } from './known-parts.ts'

/** The exact key of a record, and those it has under older versions where the parts do not tell which applies. */
export interface ExactKey extends PartitionKey {
  /** Under older versions of the plan, newest first; empty where the parts hold the boundary, or there are no versions. */
  readonly older: readonly PartitionKey[]
}

/** Answers with the key of the record that has these parts; throws when they do not say enough. */
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

const DRAWN = 'Its suffix was drawn at random when it was written: keysFor lists every key that it can be.'

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
