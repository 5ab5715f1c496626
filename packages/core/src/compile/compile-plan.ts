import type { CompiledPlan, ManagedMember } from '../plan/compiled.ts'
import { isIdLevel, ownField } from './level.ts'
import type { PlanRules } from '../plan/rules.ts'
import { compileBoundaries, type SelectVersion } from './boundary.ts'
import { compileDirect } from './direct.ts'
import { FieldTable } from './field-table.ts'
import { compileVersion, decideWith, type Version, type VersionOptions } from './version.ts'

/** A plan as closures, with what its reverse needs to know of it. */
export interface CompiledVersions extends CompiledPlan {
  readonly versions: readonly Version[]
  readonly select: SelectVersion
}

export function compilePlan(rules: PlanRules, options: VersionOptions): CompiledVersions {
  const table = new FieldTable()
  const select = compileBoundaries(rules, table)
  const versions = rules.versions.map((version) => compileVersion(version, table, options))
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
  const isSimple = older.length === 0 && version.levels.length === 1 && !version.needsId && !version.levels[0].passesThrough
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
  const own = ownField(level)
  return (
    own !== undefined &&
    !own.normalize &&
    !own.coerce &&
    Object.entries(own.use).every(([name, text]) => text === undefined || (name === 'empty' && text === ''))
  )
}
