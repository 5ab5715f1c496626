import { createPlan, type DecodedKey, type Key, type KeyComponent } from '@keystamp/core'
import { type ComponentRules, formatPointer, type LevelRules, parsePlan, type Pointer } from '@keystamp/core/internal'
import type { CopyLayout, CopyOptions } from './copy-layout.ts'
import type { Rejected } from './document-mapper.ts'
import type { Identity } from './identity.ts'

/** Reads one value of the old key from the new identity. */
type ReadValue = (identity: Identity, decoded: DecodedKey | undefined) => KeyComponent

interface FoundValue {
  readonly read: ReadValue
  /** Whether the value is a part of a joined key. */
  readonly isPart: boolean
}

/**
 * Creates a function that gives the old identity of a document from its new one; undefined if the plan does not allow
 * it. The old key must be in the new key or id: as a whole value, or as a component whose type the plan declares.
 */
export function createOriginalPlace(
  options: CopyOptions,
  layout: CopyLayout
): ((identity: Identity) => Identity | Rejected) | undefined {
  if (layout.keptId !== undefined) return undefined
  const found = options.sourceKeyPaths.map((pointer) => findValue(pointer, options, layout))
  if (!found.every((value) => value !== undefined)) return undefined
  const plan = createPlan(options.plan)
  const mustDecode = found.some(({ isPart }) => isPart)
  return (identity) => {
    const decoded = mustDecode ? plan.decode(identity.key as Key) : undefined
    if (decoded?.ok === false) return { kind: 'rejected', code: decoded.code, message: decoded.message }
    return { key: found.map(({ read }) => read(identity, decoded)), id: identity.id }
  }
}

function findValue(pointer: Pointer, { plan }: CopyOptions, { stamped }: CopyLayout): FoundValue | undefined {
  const text = formatPointer(pointer)
  if (text === '/id') return { read: ({ id }) => id, isPart: false }
  const { versions } = parsePlan(plan)
  const [{ levels, encoding }] = versions
  const own = stamped.find((member) => member.isUnchanged && formatPointer(member.pointer) === text)
  const whole = levels.findIndex(({ into }) => formatPointer(into) === text)
  if (own !== undefined) return { read: ({ key }) => key[whole], isPart: false }
  // an older version may have another form, and a key without escapes cannot be split
  if (versions.length > 1 || encoding !== 'injective') return undefined
  for (const [level, rules] of levels.entries()) {
    const part = canBeSplit(rules) ? rules.from.findIndex((component) => hasExactly(component, text)) : -1
    if (part < 0) continue
    const parse = parserOf(rules.from[part])
    return { read: (_identity, decoded) => parse(String(decoded!.levels[level].parts[part].value)), isPart: true }
  }
  return undefined
}

function canBeSplit({ existing, tooLong }: LevelRules): boolean {
  return existing !== 'keep' && tooLong === 'reject'
}

/** Whether a component is the field, in a form from which its value follows. */
function hasExactly(component: ComponentRules, pointer: string): boolean {
  if (component.kind !== 'field' || formatPointer(component.pointer) !== pointer) return false
  const { type, normalize, coerce, use } = component
  // without a type, "7" and 7 are the same text
  return (
    type !== 'any' && !normalize && !coerce && Object.values(use).every((text) => text === undefined || text === '')
  )
}

function parserOf(component: ComponentRules): (text: string) => KeyComponent {
  const type = component.kind === 'field' ? component.type : 'any'
  if (type === 'integer' || type === 'number') return Number
  return type === 'boolean' ? (text) => text === 'true' : (text) => text
}
