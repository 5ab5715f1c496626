import { hashHex } from '../hash/murmur128.ts'
import type { BucketRules, FieldRules, VersionRules } from './rules.ts'

/** Hash of the rules that decide keys and ids: plans with the same rules have the same one, however they are written. */
export function fingerprintOf(version: VersionRules): string {
  const { levels, id, encoding, hashVersion } = version
  // `existing` decides whether a record is rejected, not which key it gets
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

// An empty string that is taken as is gives the key that version 0.1 gave. That version rejected strings of digits, unless they had a substitute.
function isRejectionRule(name: string, value: unknown, component: unknown): boolean {
  if (name === 'empty') return value === ''
  return name === 'coerce' && (value === false || (component as FieldRules | BucketRules).use.wrongType === undefined)
}
