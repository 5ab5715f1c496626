import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { CompiledVersions } from '../key/compile-plan.ts'
import type { FieldValue, KeyValue } from '../key/field-value.ts'
import type { Source } from '../key/kafka.ts'
import { createRecordReader } from '../key/record-reader.ts'
import type { Version } from '../key/version.ts'
import { nearestName } from '../text/option-names.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'

/** A key as the Cosmos DB clients take it: the value of a key of one level, or the values of a hierarchical one. */
export type Key = KeyValue | readonly KeyValue[]

/** One key that a reader asks for. */
export interface PartitionKey {
  readonly key: Key
  /** One value a level; fewer than the plan has levels where the deeper ones are not known. */
  readonly values: readonly KeyValue[]
  /** The version of the plan that gives this key: 0 for the newest. */
  readonly version: number
}

/** What a reader knows of a record, read into the values that a compiled plan wants. */
export interface KnownParts {
  readonly values: readonly FieldValue[]
  /** Whether the parts have a value in this field; null is one. */
  readonly held: (field: Pointer) => boolean
  readonly source: Source | undefined
  /** The versions that can apply, newest first. */
  readonly versions: readonly number[]
}

export function createPartsReader(plan: CompiledVersions): (parts: object, source: Source | undefined) => KnownParts {
  const read = createRecordReader(plan.fields, [])
  const indexes = new Map(plan.fields.map((field, index) => [formatPointer(field), index]))
  return (parts, source) => {
    const { values } = read(parts)
    const held = (field: Pointer): boolean => values[indexes.get(formatPointer(field)) ?? -1] !== undefined
    const chosen = plan.select(values)
    return { values, held, source, versions: typeof chosen === 'number' ? [chosen] : plan.versions.map((_, number) => number) }
  }
}

/** The id that a key may be made of: the one that is known, or the one that the plan makes of the parts. */
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

/** Throws OPTION_INVALID for a part that stands in none of the fields: it would not narrow anything. */
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
    `The part ${path} is not a field that key or id are made of, so it cannot be looked up.${meant} The parts can hold ${known.join(', ')}.`
  )
}
