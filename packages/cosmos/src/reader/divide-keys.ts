import type { RangeKeys } from './route-keys.ts'

// The text of a query may take 512 KB with its parameters.
const MOST_KEYS = 1000
const MOST_CHARACTERS = 100_000

/** Cuts a list of keys that is too long for one query. */
export function divideKeys({ range, keys }: RangeKeys): readonly RangeKeys[] {
  const parts: RangeKeys[] = []
  let begin = 0
  let characters = 0
  for (const [index, { values }] of keys.entries()) {
    const length = JSON.stringify(values).length
    if (index > begin && (index - begin >= MOST_KEYS || characters + length > MOST_CHARACTERS)) {
      parts.push({ range, keys: keys.slice(begin, index) })
      begin = index
      characters = 0
    }
    characters += length
  }
  return [...parts, { range, keys: keys.slice(begin) }]
}
