import { isRecord } from './json-value.ts'

/** One text per value: equal values give equal texts, whatever the order of their members. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isRecord(value)) return value === undefined ? 'undefined' : JSON.stringify(value)
  const names = Object.keys(value).toSorted()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`
}
