import { placeOf } from '../compile/boundary.ts'
import type { CompiledVersions } from '../compile/compile-plan.ts'
import { compileComponent } from '../compile/component.ts'
import { FieldTable } from '../compile/field-table.ts'
import { compileIdParts } from '../compile/id.ts'
import { ownField } from '../compile/level.ts'
import type { MakeText } from '../compile/make-text.ts'
import type { Version } from '../compile/version.ts'
import { refusalOf } from '../encode/canonical.ts'
import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { FieldValue, KeyValue, Pointer } from '../plan/compiled.ts'
import type { BucketRules, ComponentRules, FieldRules } from '../plan/rules.ts'

/** How one component of a plan reads one field of a document. */
export interface FieldReading {
  /** Number of the field among those of the plan. */
  readonly field: number
  /** What the plan makes of the field: equal for all values that the plan takes for the same. */
  readonly make: (values: readonly FieldValue[]) => KeyValue | Rejection
  readonly rules: FieldRules | BucketRules | undefined
  /** True where the key shows what was made, and not only a hash of it. */
  readonly isInKey: boolean
  /** True where `make` can give two different texts the same form, as an id with underscores does. */
  readonly isLossy: boolean
}

/** The readings of one version of a plan: its key, its suffixes, its id. */
export function readingsOf(version: Version, fields: readonly Pointer[]): readonly FieldReading[] {
  const table = new FieldTable()
  for (const field of fields) table.indexOf(field)
  const { rules } = version
  const raw = (component: ComponentRules, made: 'key' | 'id' = 'key'): MakeText =>
    compileComponent(component, { made, first: true, marks: '' }, table)
  const inKey = version.levels.flatMap((level) => {
    const own = ownField(level.rules)
    if (own === undefined) return level.rules.from.map((component) => toReading(component, raw(component), table, { isInKey: true }))
    return [toReading(own, (values) => level.value(values, undefined, undefined), table, { isInKey: true })]
  })
  const bySuffix = version.levels.flatMap(({ rules: { suffix } }) =>
    suffix === undefined || typeof suffix.by === 'string' ? [] : suffix.by.map((field) => toReading(field, raw(field), table))
  )
  const isLossy = rules.id?.escape === 'underscore'
  const texts =
    rules.id === undefined ? [] : isLossy ? compileIdParts(rules.id, table) : rules.id.from.map((component) => raw(component, 'id'))
  const inId = texts.map((make, index) => toReading(rules.id!.from[index], make, table, { isLossy }))
  return [...inKey, ...bySuffix, ...inId].filter((reading) => reading !== undefined)
}

/** Fields that tell which version applies, and the members that a plan writes. */
export function readingOfOther(plan: CompiledVersions, field: number): FieldReading {
  const until = plan.versions.map(({ rules }) => rules.until).find((rules) => rules !== undefined)
  const isBoundary = until !== undefined && pointerText(until.field) === pointerText(plan.fields[field])
  const path = pointerText(plan.fields[field])
  const make: FieldReading['make'] = (values) => {
    const value = values[field]
    if (isBoundary) return placeOf(value, until.isTime) ?? reject('BOUNDARY_MISSING', path)
    const refused = value === null ? undefined : refusalOf(value, 'any')
    return refused === undefined ? (typeof value === 'bigint' ? Number(value) : (value as KeyValue)) : reject(refused, path)
  }
  return { field, make, rules: undefined, isInKey: false, isLossy: false }
}

function toReading(
  rules: ComponentRules,
  make: (values: readonly FieldValue[], source: undefined, id: undefined) => KeyValue | Rejection,
  table: FieldTable,
  facts: Partial<Pick<FieldReading, 'isInKey' | 'isLossy'>> = {}
): FieldReading | undefined {
  if (rules.kind !== 'field' && rules.kind !== 'bucket') return undefined
  const pointer = rules.kind === 'field' ? rules.pointer : rules.of
  if (pointer === 'timestamp') return undefined
  const field = table.indexOf(pointer)
  return { field, make: (values) => make(values, undefined, undefined), rules, isInKey: false, isLossy: false, ...facts }
}
