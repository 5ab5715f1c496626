import { PlanError, type PlanDefinition } from '@keystamp/core'
import { type ComponentRules, formatPointer, parsePlan, passThroughField } from '@keystamp/core/internal'
import { isIdLevel, type LevelRules, type Pointer, type VersionRules } from '@keystamp/core/internal'

/** Member of the key that a plan writes into a copy. */
export interface StampedMember {
  readonly pointer: Pointer
  /** Whether the value of the member is the key itself, so that documents have the member before, too. */
  readonly isOwnField: boolean
  /** Whether the plan never changes the value. */
  readonly isUnchanged: boolean
}

/** Parts of a plan that decide what a move can promise. */
export interface PlanBasis {
  /** JSON pointers of the fields, other than those of the identity, from which key and id of the new document follow. */
  readonly fields: readonly string[]
  /** Members that the plan may write, other than the id. */
  readonly stamped: readonly StampedMember[]
  /** Whether documents get other ids. */
  readonly makesIds: boolean
}

const SYSTEM_FIELDS = new Set(['/_rid', '/_self', '/_etag', '/_attachments', '/_ts', '/_lsn'])

/**
 * JSON pointers of the fields that make the basis of a plan `fields`: a change of one of them moves a document to
 * another key. Throws a PlanError for a plan that cannot give a document the same key each time.
 */
export function describeBasis(plan: PlanDefinition, sourceKeyPaths: readonly Pointer[]): readonly string[] {
  return readPlanBasis(plan, sourceKeyPaths).fields
}

/** Reads what a move needs to know of a plan. Throws as `describeBasis` does. */
export function readPlanBasis(plan: PlanDefinition, sourceKeyPaths: readonly Pointer[]): PlanBasis {
  const { versions } = parsePlan(plan)
  const mistakes = versions.flatMap((version, number) =>
    mistakesOf(version, number === 0 ? '' : `/previous/${number - 1}/plan`)
  )
  if (mistakes.length > 0) throw new PlanError(mistakes)
  const known = new Set(['/id', ...sourceKeyPaths.map(formatPointer)])
  const read = new Set(versions.flatMap(fieldsOf))
  const [newest] = versions
  return {
    fields: [...read].filter((field) => !known.has(field)).toSorted(),
    stamped: newest.levels.flatMap((level, index) => (isIdLevel(level) ? [] : [stampedAt(versions, index)])),
    makesIds: versions.some(({ id }) => id?.existing === 'overwrite')
  }
}

function stampedAt(versions: readonly VersionRules[], index: number): StampedMember {
  const own = versions.map(({ levels }) => passThroughField(levels[index]))
  const isUnchanged = own.every(
    (field) =>
      field !== undefined &&
      !field.normalize &&
      !field.coerce &&
      Object.values(field.use).every((text) => text === undefined || text === '')
  )
  const [{ levels }] = versions
  return { pointer: levels[index].into, isOwnField: own.every((field) => field !== undefined), isUnchanged }
}

/** Pointers of the fields that a version reads. */
function fieldsOf({ levels, id, until }: VersionRules): readonly string[] {
  const components = [...levels.flatMap(({ from }) => from), ...(id?.from ?? [])]
  const kept = levels.filter(({ existing }) => existing === 'keep').map(({ into }) => into)
  const boundary = until === undefined ? [] : [until.field]
  return [...components.flatMap(pointersOf), ...levels.flatMap(suffixFields), ...kept, ...boundary].map(formatPointer)
}

function pointersOf(component: ComponentRules): readonly Pointer[] {
  if (component.kind === 'field') return [component.pointer]
  if (component.kind === 'id') return [['id']]
  return component.kind === 'bucket' && component.of !== 'timestamp' ? [component.of] : []
}

function suffixFields({ suffix }: LevelRules): readonly Pointer[] {
  return suffix === undefined || typeof suffix.by === 'string' ? [] : suffix.by.map(({ pointer }) => pointer)
}

interface PlanMistake {
  readonly path: string
  readonly message: string
}

function mistakesOf(version: VersionRules, path: string): readonly PlanMistake[] {
  const { levels, id } = version
  const found: PlanMistake[] = levels.flatMap(({ suffix, into }) =>
    suffix?.by === 'random' || suffix?.by === 'offset'
      ? [{ path: `${path}/suffix/by`, message: suffixSentence(suffix.by, into) }]
      : []
  )
  const components = [...levels.flatMap(({ from }) => from), ...(id?.from ?? [])]
  if (
    components.some(
      (component) => component.kind === 'kafka' || (component.kind === 'bucket' && component.of === 'timestamp')
    )
  )
    found.push({ path, message: 'reads the Kafka record, which a document in a container does not have: use fields' })
  for (const field of fieldsOf(version))
    if (SYSTEM_FIELDS.has(field))
      found.push({
        path,
        message: `reads ${field}, which changes with each write, so that a document would get another key each time`
      })
  return found
}

function suffixSentence(by: 'random' | 'offset', into: Pointer): string {
  const key = formatPointer(into)
  return by === 'random'
    ? `is random for ${key}, but a move must give a document the same key each time it changes: use a field`
    : `is the offset for ${key}, which a document in a container does not have: use a field`
}
