import { reject, type Rejection } from '../errors/rejection.ts'
import { type BoundaryRules, isIdLevel, passThroughField, type PlanRules } from '../plan/rules.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import { parseInstant } from '../time/iso-time.ts'
import { compileDirect, type DirectPlan } from './direct-plan.ts'
import type { FieldValue, KeyValue, Source } from './field-value.ts'
import { FieldTable } from './component.ts'
import {
  compileVersion,
  decideWith,
  type Decision,
  type ManagedMember,
  type Version,
  type VersionOptions
} from './version.ts'

/**
 * Compiled plan, as its two front ends use it: a front end reads the values, the plan decides, and the front end
 * writes.
 */
export interface CompiledPlan {
  /** Paths of all values that the plan needs, each once, including those of the managed properties. */
  readonly fields: readonly Pointer[]
  /** Levels of the key in order, then the id if the plan makes it. */
  readonly managed: readonly ManagedMember[]
  /**
   * Decides about one record; `values[i]` belongs to `fields[i]`. The front end may reuse the array, so `decide` must not
   * keep it.
   */
  readonly decide: (values: readonly FieldValue[], source: Source | undefined) => Decision | Rejection
  /** Fast path over bytes, for plans whose key and id are strings of the record, joined or unchanged. */
  readonly direct?: DirectPlan | undefined
  /** Fast path for an object without a key, for plans with one version and one level that do not need the id. */
  readonly freshKey?: ((values: readonly FieldValue[], source: Source | undefined) => KeyValue | Rejection) | undefined
}

/** The parts of a compiled plan that make keys. */
export interface CompiledKeys {
  readonly versions: readonly Version[]
  readonly select: SelectVersion
}

/** Compiled plan with the parts that readers need. */
export interface CompiledVersions extends CompiledPlan, CompiledKeys {}

/** Compiles the parts of a plan that make keys. Plans may share a table of fields, so that a record is read once. */
export function compileKeys(rules: PlanRules, options: VersionOptions, table: FieldTable): CompiledKeys {
  const select = compileBoundaries(rules, table)
  return { select, versions: rules.versions.map((version) => compileVersion(version, table, options)) }
}

export function compilePlan(rules: PlanRules, options: VersionOptions): CompiledVersions {
  const table = new FieldTable()
  const { select, versions } = compileKeys(rules, options, table)
  const managed = managedMembers(rules, table)
  const decides = versions.map((version, number) => decideWith(version, number, managed))
  const [only] = decides
  const decide: CompiledPlan['decide'] =
    decides.length === 1
      ? only
      : (values, source) => {
          const version = select(values)
          return typeof version === 'number' ? decides[version](values, source) : version
        }
  const direct = compileDirect(versions, table)
  return { fields: table.pointers, managed, decide, direct, freshKey: freshKeyOf(versions), versions, select }
}

function freshKeyOf([version, ...older]: readonly Version[]): CompiledPlan['freshKey'] {
  const isSimple =
    older.length === 0 && version.levels.length === 1 && !version.needsId && !version.levels[0].passesThrough
  if (!isSimple) return undefined
  const [{ value }] = version.levels
  return (values, source) => value(values, source, undefined)
}

function managedMembers({ versions }: PlanRules, table: FieldTable): ManagedMember[] {
  const [newest] = versions
  const levels = newest.levels.map((level, index) => ({
    pointer: level.into,
    field: table.indexOf(level.into),
    written: !versions.every((version) => isNeverWritten(version.levels[index]))
  }))
  const makesId = versions.some((version) => version.id !== undefined)
  return makesId ? [...levels, { pointer: ['id'], field: table.indexOf(['id']), written: true }] : levels
}

function isNeverWritten(level: PlanRules['versions'][number]['levels'][number]): boolean {
  if (isIdLevel(level)) return true
  const own = passThroughField(level)
  return (
    own !== undefined &&
    !own.normalize &&
    !own.coerce &&
    Object.entries(own.use).every(([name, text]) => text === undefined || (name === 'empty' && text === ''))
  )
}

/**
 * Selects the version that applies to a record: 0 for the newest. The version depends on an immutable property of the
 * record, never on the current time.
 */
type SelectVersion = (values: readonly FieldValue[]) => number | Rejection

function compileBoundaries({ versions }: PlanRules, table: FieldTable): SelectVersion {
  const bounds = versions.flatMap(({ until }) => until ?? [])
  if (bounds.length === 0) return () => 0
  const { field, isTime } = bounds[0]
  const index = table.indexOf(field)
  return (values) => {
    const value = boundaryValueOf(values[index], isTime)
    if (value === undefined) return reject('BOUNDARY_MISSING', formatPointer(field))
    return versionAt(value, bounds)
  }
}

// boundaries descend from the newest version to the oldest: counts the boundaries above the value
function versionAt(value: number, bounds: readonly BoundaryRules[]): number {
  let version = 0
  while (version < bounds.length && value < bounds[version].before) version++
  return version
}

export function boundaryValueOf(value: FieldValue, isTime: boolean): number | undefined {
  if (isTime) return typeof value === 'string' ? parseInstant(value) : undefined
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
