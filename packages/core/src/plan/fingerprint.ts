import { hashHex } from '../hash/hash-hex.ts'
import type { VersionRules } from './rules.ts'

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

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
