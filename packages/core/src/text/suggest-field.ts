import { nearestName } from './option-names.ts'
import { escapePointerToken } from './pointer.ts'

/**
 * Finds the field of a record whose name is most similar to a missing field. Both are JSON pointers. Returns undefined
 * if no name is similar enough.
 */
export function suggestField(missing: string, record: unknown): string | undefined {
  const names = missing.split('/').slice(1)
  let parent = typeof record === 'string' ? parse(record) : record
  for (const [index, name] of names.entries()) {
    if (typeof parent !== 'object' || parent === null) return undefined
    const escaped = Object.keys(parent).map(escapePointerToken)
    const at = escaped.indexOf(name)
    const dotted = names.slice(index).join('.')
    // a column of CSV such as `vehicle.vin` is one field
    if (at < 0 && escaped.includes(dotted)) return `/${[...names.slice(0, index), dotted].join('/')}`
    if (at < 0) return nameNear(name, escaped)?.replace(/^/, `/${[...names.slice(0, index), ''].join('/')}`)
    parent = (Object.values(parent) as unknown[])[at]
  }
  return undefined
}

// short names are all similar to each other
const MIN_LENGTH = 3

function nameNear(name: string, known: readonly string[]): string | undefined {
  return name.length < MIN_LENGTH
    ? undefined
    : nearestName(
        name,
        known.filter(({ length }) => length >= MIN_LENGTH)
      )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
