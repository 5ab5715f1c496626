import { isRecord, readMember } from './json-value.ts'

/** True when two JSON values are the same through all depths; the order of members does not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((element, index) => isEqual(element, right[index]))
  }
  if (!isRecord(left) || !isRecord(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(readMember(left, name), readMember(right, name)))
  )
}
