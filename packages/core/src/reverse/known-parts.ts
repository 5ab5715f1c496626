import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { CompiledVersions } from '../key/compile-plan.ts'
import type { FieldValue, KeyValue, Source } from '../key/field-value.ts'
import { createRecordReader } from '../key/record-reader.ts'
import type { Version } from '../key/version.ts'
import { nearestName } from '../text/option-names.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'

/**
 * A key in the form that Cosmos DB clients accept: the value of a key of one level, or the values of a hierarchical
 * key.
 */
export type Key = KeyValue | readonly KeyValue[]

/** One partition key for a reader. */
export interface PartitionKey {
  readonly key: Key
  /** One value for each level, without the deeper levels if they are unknown. */
  readonly values: readonly KeyValue[]
  /** Version of the plan that makes this key: 0 for the newest. */
  readonly version: number
}

/** Known parts of a record, as the values of a compiled plan. */
export interface KnownParts {
  readonly values: readonly FieldValue[]
  /** Whether the parts have a value for this field; null is a value. */
  readonly held: (field: Pointer) => boolean
  readonly source: Source | undefined
  /** Versions that can apply, newest first. */
  readonly versions: readonly number[]
}

export function createPartsReader(plan: CompiledVersions): (parts: object, source: Source | undefined) => KnownParts {
  const read = createRecordReader(plan.fields, [])
  const indexes = new Map(plan.fields.map((field, index) => [formatPointer(field), index]))
  return (parts, source) => {
    const { values } = read(parts)
    const held = (field: Pointer): boolean => values[indexes.get(formatPointer(field)) ?? -1] !== undefined
    const chosen = plan.select(values)
    return {
      values,
      held,
      source,
      versions: typeof chosen === 'number' ? [chosen] : plan.versions.map((_, number) => number)
    }
  }
}

/** Id for keys that contain the id: the id in the parts, or the id that the plan makes of the parts. */
export function knownId(version: Version, { values, source }: KnownParts, idField: number): string | undefined {
  const carried = idField < 0 ? undefined : values[idField]
  if (typeof carried === 'string') return carried
  const made = version.idOf(values, source)
  return typeof made === 'string' ? made : undefined
}

export function toPartitionKey(values: readonly KeyValue[], version: number, levels: number): PartitionKey {
  return { key: levels === 1 ? values[0] : values, values, version }
}

export function partsMissing(rejection: Rejection): KeystampError {
  return new KeystampError('PARTS_MISSING', `The key cannot be computed from these parts. ${rejection.message}`)
}

/** Throws OPTION_INVALID for a part that is not one of the fields, since it would have no effect. */
export function checkParts(parts: object, fields: readonly Pointer[]): void {
  const known = [...new Set([...fields, ['id']].map(formatPointer))]
  visit(parts, '', (path) => {
    if (known.includes(path)) return 'known'
    return known.some((field) => field.startsWith(`${path}/`)) ? 'above' : 'unknown'
  })

  function visit(value: object, path: string, relationOf: (path: string) => 'known' | 'above' | 'unknown'): void {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      const below = path + formatPointer([name])
      const relation = relationOf(below)
      if (relation === 'known') continue
      if (relation === 'unknown' || typeof member !== 'object' || member === null) throw unknownPart(below, known)
      visit(member as object, below, relationOf)
    }
  }
}

function unknownPart(path: string, known: readonly string[]): KeystampError {
  const near = nearestName(path, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return new KeystampError(
    'OPTION_INVALID',
    `The part ${path} is not a field of the key or of the id, so it cannot be looked up.${meant} The parts can be ${known.join(', ')}.`
  )
}
