import { MAX_VALUE_DEPTH } from './limits.ts'

/** A JSON object, as opposed to an array or null. */
type JsonRecord = Readonly<Record<string, unknown>>

/** True for a JSON object, and for neither an array nor null. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own property of an object; inherited ones are undefined. */
export function readMember(record: JsonRecord, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(record, name) ? undefined : record[name]
}

/** Writes a property, also `__proto__`, which an assignment would lose. */
export function writeMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
  else record[name] = value
}

/** True when a value is nested deeper than an item can be. Does not recurse, since the value may be hostile. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) return true
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return false
}

/** A string for each value: equal values give equal strings, in any order of properties. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isRecord(value)) return value === undefined ? 'undefined' : JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`
}

/** True when two JSON values are deeply equal, in any order of properties. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((element, index) => isEqual(element, right[index]))
    )
  }
  if (!isRecord(left) || !isRecord(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(readMember(left, name), readMember(right, name)))
  )
}

/** Ranks of the types in ORDER BY, MIN and MAX: undefined, null, boolean, number, string, array, object. */
export function typeRank(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0
    case 'boolean':
      return 2
    case 'number':
      return 3
    case 'string':
      return 4
    default:
      return value === null ? 1 : Array.isArray(value) ? 5 : 6
  }
}

/** The total order of values: by type, then by value; arrays and objects are all equal. */
export function compareValues(left: unknown, right: unknown): number {
  const rank = typeRank(left)
  const difference = rank - typeRank(right)
  if (difference !== 0) return difference
  if (rank > 4 || left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

/** The order of two values for `<` and `>`: undefined for different types, and for arrays and objects. */
export function compareScalars(left: unknown, right: unknown): number | undefined {
  const rank = typeRank(left)
  if (rank === 0 || rank > 4 || rank !== typeRank(right)) return undefined
  return compareValues(left, right)
}

/** True for a valid value of TOP, OFFSET and LIMIT: a whole number of at most 31 bits. */
export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
}
