/** About how many bytes a value holds in memory. Not all of its members are looked at; the others are taken to be like them. */
export function sizeOf(value: unknown, level: number = 0): number {
  if (typeof value === 'string') return value.length + PER_VALUE
  if (typeof value !== 'object' || value === null || level === LOOKS.length) return PER_VALUE
  if (ArrayBuffer.isView(value)) return value.byteLength + PER_VALUE
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (members.length === 0) return PER_VALUE
  const looks = Math.min(members.length, LOOKS[level])
  let size = 0
  // at equal distances: the first ones may be smaller than the others
  for (let look = 0; look < looks; look++) size += sizeOf(members[Math.floor((look * members.length) / looks)], level + 1)
  return PER_VALUE + Math.ceil((size * members.length) / looks)
}

const PER_VALUE = 16
/** How many members are looked at on each level; a record stands on the second where a chunk is an array. */
const LOOKS = [32, 16, 8, 4]
