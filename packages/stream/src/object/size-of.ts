/** About how many bytes a value holds in memory. Not all of its members are looked at; the others are taken to be like them. */
export function sizeOf(value: unknown, level: number = 0): number {
  if (typeof value === 'string') return value.length + PER_VALUE
  if (typeof value !== 'object' || value === null || level === LOOKS.length) return PER_VALUE
  if (ArrayBuffer.isView(value)) return value.byteLength + PER_VALUE
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const { length } = names ?? (value as readonly unknown[])
  if (length === 0) return PER_VALUE
  const looks = Math.min(length, LOOKS[level])
  let size = 0
  for (let look = 0; look < looks; look++) {
    // at equal distances: the first ones may be smaller than the others
    const at = Math.floor((look * length) / looks)
    size += sizeOf(plainMember(value, names?.[at] ?? at), level + 1)
  }
  return PER_VALUE + Math.ceil((size * length) / looks)
}

// a getter is the record's own affair: it may do something, or throw
function plainMember(value: object, name: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

const PER_VALUE = 16
/** How many members are looked at on each level; a record stands on the second where a chunk is an array. */
const LOOKS = [32, 16, 8, 4]
