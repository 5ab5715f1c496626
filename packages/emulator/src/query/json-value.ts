import { MAX_VALUE_DEPTH } from './limits.ts'

/** A JSON object, as opposed to an array or null. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** True for a JSON object, and for neither an array nor null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a member that the object itself holds; what every object inherits does not count. */
export function readMember(record: JsonRecord, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : record[name]
}

/** Writes a member, also one called `__proto__`, which an assignment would lose. */
export function writeMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  else record[name] = value
}

/** True when the value nests deeper than an item may; walks without recursion, since the value may be hostile. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) return true
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return false
}
