import {
  baseLimit,
  type ComponentRules,
  type LevelRules,
  passThroughField,
  type PlanRules,
  type VersionRules
} from './rules.ts'
import { isFixedZone } from '../time/zone.ts'

export type WarningCode = keyof typeof WARNING_CODES

/** Warnings about plans, with the remedy. `docs/errors.md` is generated from this table. */
export const WARNING_CODES = {
  DATE_ONLY:
    'A key that consists only of a time puts all current writes into one logical partition, which has at most 10,000 RU/s and 20 GB. Add a suffix or another field.',
  FEW_KEYS:
    'These components make only a few different keys, and the load cannot spread over more partitions than there are keys. Aim for hundreds of keys.',
  SUFFIX_BEHIND_CUT:
    'A version-1 container hashes only the first 100 characters of a key. Records whose key is longer are rejected or cut. Keep the key before the suffix short, or use a container with hash version 2.',
  MUTABLE_INPUT:
    'The name of this field suggests that its value changes. With another key, the document is stored a second time, and the old document stays. Make keys of values that never change.',
  RANDOM_SUFFIX:
    'A replay makes another random suffix and stores a second document, and no reader can compute the key. Prefer a suffix that is computed from a field.',
  NAMED_ZONE:
    'The rules of named time zones change with the time zone data of the machine, and then the bucket of a record can change, too. Prefer UTC or a fixed offset.',
  KEEPS_EXISTING: 'The plan keeps keys that records already have: a reader cannot compute these keys from the plan.'
} as const

/** A part of a plan that is allowed but risky. */
export interface PlanWarning {
  readonly code: WarningCode
  /** JSON pointer into the plan. */
  readonly path: string
  readonly message: string
}

const FEW = 100
const MUTABLE =
  /^(updated|modified|changed|last|current|latest)|(updated|modified|changed|seen)(at|on|time|date)?$|^(status|state|version|_ts|_etag)$/i

/** Finds the risky parts of the newest version of a plan. */
export function warningsOf({ versions }: PlanRules): readonly PlanWarning[] {
  const [newest] = versions
  const flat = newest.levels.length === 1
  const warnings = newest.levels.flatMap((level, index) =>
    warningsOfLevel(level, newest, flat ? '' : `/levels/${index}`)
  )
  const whole = [...warnings, ...warningsOfWhole(newest), ...warningsOfId(newest)]
  return whole.map(({ code, path, message = WARNING_CODES[code] }) => ({ code, path, message }))
}

type Found = Omit<PlanWarning, 'message'> & Partial<Pick<PlanWarning, 'message'>>

function warningsOfLevel(level: LevelRules, version: VersionRules, path: string): Found[] {
  const found: Found[] = level.from.flatMap((component, index) =>
    warningsOfComponent(component, `${path}/from/${index}`)
  )
  const { suffix } = level
  if (suffix?.by === 'random') found.push({ code: 'RANDOM_SUFFIX', path: `${path}/suffix/by` })
  if (Array.isArray(suffix?.by) && suffix.by.some((field) => soundsMutable(field.pointer)))
    found.push({ code: 'MUTABLE_INPUT', path: `${path}/suffix/by` })
  if (suffix !== undefined && version.hashVersion === 1 && longestBase(level) > baseLimit(suffix, 1)) {
    found.push({ code: 'SUFFIX_BEHIND_CUT', path: `${path}/suffix` })
  }
  if (level.existing === 'keep' && passThroughField(level) === undefined)
    found.push({ code: 'KEEPS_EXISTING', path: `${path}/existing` })
  return found
}

function warningsOfId({ id }: VersionRules): Found[] {
  return (id?.from ?? []).flatMap((component, index) => warningsOfComponent(component, `/id/from/${index}`))
}

function warningsOfComponent(component: ComponentRules, path: string): Found[] {
  if (component.kind === 'bucket' && !isFixedZone(component.zone)) return [{ code: 'NAMED_ZONE', path: `${path}/zone` }]
  const pointer =
    component.kind === 'field'
      ? component.pointer
      : component.kind === 'bucket' && component.of !== 'timestamp'
        ? component.of
        : []
  return soundsMutable(pointer) ? [{ code: 'MUTABLE_INPUT', path }] : []
}

// The levels of a hierarchical key work together, so these two warnings are about all of them.
function warningsOfWhole({ levels }: VersionRules): Found[] {
  const components = levels.flatMap((level) => level.from)
  const suffixes = levels.reduce((product, level) => product * (level.suffix?.count ?? 1), 1)
  const path = levels.length === 1 ? '/from' : '/levels'
  if (suffixes < FEW && components.every(isTime)) {
    return [{ code: 'DATE_ONLY', path, ...(suffixes === 1 ? {} : { message: dateAndSuffixes(suffixes) }) }]
  }
  return suffixes < FEW && components.every((each) => isTime(each) || isFew(each)) ? [{ code: 'FEW_KEYS', path }] : []
}

function dateAndSuffixes(count: number): string {
  return `A key made of time and ${count} suffixes puts all current writes into ${count} logical partitions, each of which has at most 10,000 RU/s and 20 GB. Use ${FEW} suffixes or more, or add another field.`
}

function isTime(component: ComponentRules): boolean {
  if (component.kind === 'bucket') return true
  return (
    component.kind === 'field' &&
    (component.type === 'date' ||
      /^(date|day|month|year|hour|time|timestamp|ts)$/i.test(component.pointer.at(-1) ?? ''))
  )
}

function isFew(component: ComponentRules): boolean {
  if (component.kind === 'literal') return true
  if (component.kind === 'kafka') return component.what === 'topic' || component.what === 'partition'
  return component.kind === 'field' && (component.type === 'boolean' || soundsMutable(component.pointer))
}

function soundsMutable(pointer: readonly string[]): boolean {
  return pointer.some((name) => MUTABLE.test(name))
}

function longestBase(level: LevelRules): number {
  return level.from.reduce((length, component) => length + longestText(component) + 1, -1)
}

function longestText(component: ComponentRules): number {
  if (component.kind === 'literal') return component.text.length
  if (component.kind === 'bucket') return 16
  if (component.kind === 'kafka')
    return component.what === 'partition' || component.what === 'offset' ? 20 : Number.POSITIVE_INFINITY
  if (component.kind === 'id') return Number.POSITIVE_INFINITY
  const lengths = {
    date: 10,
    uuid: 36,
    boolean: 5,
    integer: 20,
    number: 25,
    text: Number.POSITIVE_INFINITY,
    any: Number.POSITIVE_INFINITY
  }
  return lengths[component.type]
}
