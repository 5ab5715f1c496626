import { hashHex } from '../hash/murmur128.ts'
import type { BucketRules, FieldRules, VersionRules } from './rules.ts'

/** A short name for what decides keys and ids: equal plans have equal ones, however they were written down. */
export function fingerprintOf(version: VersionRules): string {
  const { levels, id, encoding, hashVersion } = version
  // what to do with a key that is there already decides whether a record is rejected, not which key it gets
  const deciding = {
    levels: levels.map((level) => ({ ...level, existing: undefined })),
    id: id && { ...id, existing: undefined },
    encoding,
    hashVersion
  }
  return hashHex(JSON.stringify(deciding, inOrder))
}

function inOrder(this: unknown, name: string, value: unknown): unknown {
  if (isRejectionRule(name, value, this)) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// Empty text that is taken as is gives the key that version 0.1 gave. Digits as text were rejected, unless they got a substitute.
function isRejectionRule(name: string, value: unknown, component: unknown): boolean {
  if (name === 'empty') return value === ''
  return name === 'coerce' && (value === false || (component as FieldRules | BucketRules).use.wrongType === undefined)
}
