import { KeystampError } from '../errors/keystamp-error.ts'
import { withoutTextByteOrderMark } from '../text/byte-order-mark.ts'
import { formatPointer } from '../text/pointer.ts'
import { parseInstant } from '../time/iso-time.ts'
import { type Mistake, Mistakes } from './mistakes.ts'
import { parsePath } from './parse-component.ts'
import { isIdLevel, LEVEL_MEMBERS, parseId, parseIdLevel, parseLevel } from './parse-level.ts'
import type { BoundaryRules, LevelRules, PlanRules, VersionRules } from './rules.ts'

/** Error for an invalid plan, with all its mistakes. */
export class PlanError extends KeystampError {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    const lines = mistakes.map(({ path, message }) => `  ${path === '' ? 'the plan' : path} ${message}`)
    super(
      'PLAN_INVALID',
      `The key plan has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`
    )
    this.name = 'PlanError'
    this.mistakes = mistakes
  }
}

/** Checks a plan and fills in its defaults. Throws a PlanError that names every mistake. */
export function parsePlan(value: unknown): PlanRules {
  const mistakes = new Mistakes()
  if (typeof value === 'string') {
    mistakes.add(
      '',
      'is a string, not an object: createPlan(parsePlanText(text)) accepts JSON, with or without comments'
    )
    throw new PlanError(mistakes.found)
  }
  const versions = parseVersions(value, '', undefined, mistakes)
  if (mistakes.found.length === 0) checkVersions(versions, mistakes)
  if (mistakes.found.length > 0) throw new PlanError(mistakes.found)
  return { versions }
}

/**
 * Parses the JSON of a plan file, which may have comments and a byte order mark. Throws the SyntaxError of
 * `JSON.parse`.
 */
export function parsePlanText(text: string): unknown {
  return JSON.parse(stripComments(withoutTextByteOrderMark(text)))
}

const VERSION_MEMBERS = ['$schema', 'id', 'hashVersion', 'encoding', 'previous']
const MAX_VERSIONS = 32

function parseVersions(
  value: unknown,
  path: string,
  until: BoundaryRules | undefined,
  mistakes: Mistakes
): VersionRules[] {
  const isFlat = typeof value !== 'object' || value === null || !('levels' in value)
  const json = mistakes.object(value, path, [...VERSION_MEMBERS, ...(isFlat ? LEVEL_MEMBERS : ['levels'])])
  if (json === undefined) return []
  const levels = isFlat ? [parseLevel(json, path, mistakes)] : parseLevels(json['levels'], `${path}/levels`, mistakes)
  const hashVersion = mistakes.oneOf(json['hashVersion'], `${path}/hashVersion`, [1, 2] as const, 2)
  const encoding = mistakes.oneOf(json['encoding'], `${path}/encoding`, ['injective', 'plain'] as const, 'injective')
  const id = json['id'] === undefined ? undefined : parseId(json['id'], `${path}/id`, mistakes)
  if (levels.length > 1 && hashVersion === 1) mistakes.add(`${path}/hashVersion`, 'must be 2 for a hierarchical key')
  const found = levels.filter((level) => level !== undefined)
  const version: VersionRules = { hashVersion, encoding, levels: found, id, until }
  if (json['previous'] === undefined) return [version]
  if (path !== '') mistakes.add(`${path}/previous`, 'must be in the newest plan: list all versions there, newest first')
  return [version, ...parsePrevious(json['previous'], `${path}/previous`, mistakes)]
}

function parseLevels(value: unknown, path: string, mistakes: Mistakes): (LevelRules | undefined)[] {
  const list = mistakes.list(value, path, 1, 3) ?? []
  return list.map((each, index) => {
    const json = mistakes.object(each, `${path}/${index}`, LEVEL_MEMBERS)
    const isLastId = isIdLevel(json) && index > 0 && index === list.length - 1
    const level = json && (isLastId ? parseIdLevel : parseLevel)(json, `${path}/${index}`, mistakes)
    if (index > 0 && level?.suffix?.labels === 'even') {
      mistakes.add(`${path}/${index}/suffix/labels`, 'can be "even" on the first level only, whose hash comes first')
    }
    return level
  })
}

function parsePrevious(value: unknown, path: string, mistakes: Mistakes): VersionRules[] {
  const list = mistakes.list(value, path, 1, MAX_VERSIONS) ?? []
  return list.flatMap((each, index) => {
    const at = `${path}/${index}`
    const json = mistakes.object(each, at, ['until', 'plan'])
    if (json === undefined) return []
    const until = parseBoundary(json['until'], `${at}/until`, mistakes)
    return parseVersions(json['plan'], `${at}/plan`, until, mistakes)
  })
}

function parseBoundary(value: unknown, path: string, mistakes: Mistakes): BoundaryRules | undefined {
  const json = mistakes.object(value, path, ['field', 'before'])
  if (json === undefined) return undefined
  const field = parsePath(json['field'], `${path}/field`, mistakes)
  const { before } = json
  const instant = typeof before === 'string' ? parseInstant(before) : before
  if (typeof instant !== 'number' || !Number.isFinite(instant)) {
    return mistakes.add(`${path}/before`, 'must be a number, or a time such as "2026-01-01T00:00:00Z"')
  }
  return field === undefined ? undefined : { field, before: instant, isTime: typeof before === 'string' }
}

/** Checks all versions together: one container, one boundary field, boundaries that descend. */
function checkVersions(versions: readonly VersionRules[], mistakes: Mistakes): void {
  const [newest, ...older] = versions
  checkPaths(newest, mistakes)
  let bound = Number.POSITIVE_INFINITY
  older.forEach((version, index) => {
    const at = `/previous/${index}`
    const { until } = version
    if (until === undefined) return
    if (intoOf(version) !== intoOf(newest))
      mistakes.add(`${at}/plan`, `must write into ${intoOf(newest)} as the newest plan does: a container has one key`)
    if (version.hashVersion !== newest.hashVersion)
      mistakes.add(`${at}/plan/hashVersion`, `must be ${newest.hashVersion}: a container has one hash version`)
    const first = older[0].until
    if (formatPointer(until.field) !== formatPointer(first?.field ?? []) || until.isTime !== first?.isTime) {
      mistakes.add(`${at}/until`, 'must use the same field and kind of value as the other boundaries')
    }
    if (until.before >= bound)
      mistakes.add(`${at}/until/before`, 'must be before the boundary listed above it: newest first')
    bound = until.before
  })
}

function checkPaths(version: VersionRules, mistakes: Mistakes): void {
  const paths = version.levels.map((level) => formatPointer(level.into))
  paths.forEach((path, index) => {
    if (
      paths.some(
        (other, at) => at < index && (other === path || path.startsWith(`${other}/`) || other.startsWith(`${path}/`))
      )
    ) {
      mistakes.add(`/levels/${index}/into`, `collides with another level: ${path}`)
    }
  })
}

function intoOf(version: VersionRules): string {
  return version.levels.map((level) => formatPointer(level.into)).join(', ')
}

/** Replaces comments by spaces, so that the positions of the remaining characters do not change. */
export function stripComments(text: string): string {
  return text.replaceAll(STRING_OR_COMMENT, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n\r]/g, ' ')
  )
}

// Strings are the first alternative, so that a comment inside a string is kept. A comment that is not closed ends with
// the file.
const STRING_OR_COMMENT = /"(?:\\.|[^"\\])*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g
