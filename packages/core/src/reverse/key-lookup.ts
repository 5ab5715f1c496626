import type { CompiledVersions } from '../compile/compile-plan.ts'
import type { Version } from '../compile/version.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { FieldValue, KeyValue, Pointer } from '../plan/compiled.ts'
import type { Source } from '../plan/source.ts'
import { createRecordReader } from '../stamp/record-reader.ts'

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
export interface Known {
  readonly values: readonly FieldValue[]
  /** Whether the parts have a value in this field; null is one. */
  readonly held: (field: Pointer) => boolean
  readonly source: Source | undefined
  /** The versions that can apply, newest first. */
  readonly versions: readonly number[]
}

export function createPartsReader(plan: CompiledVersions): (parts: object, source: Source | undefined) => Known {
  const read = createRecordReader(plan.fields, [])
  const indexes = new Map(plan.fields.map((field, index) => [pointerText(field), index]))
  return (parts, source) => {
    const { values } = read(parts)
    const held = (field: Pointer): boolean => values[indexes.get(pointerText(field)) ?? -1] !== undefined
    const chosen = plan.select(values)
    return { values, held, source, versions: typeof chosen === 'number' ? [chosen] : plan.versions.map((_, number) => number) }
  }
}

/** The id that a key may be made of: the one that is known, or the one that the plan makes of the parts. */
export function knownId(version: Version, { values, source }: Known, idField: number): string | undefined {
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
