/** Parses an input for a key: JSON, or else a string. An empty input is no value. */
export function parseKeyInput(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return NO_VALUE
  try {
    return JSON.parse(trimmed) as unknown
  } catch {
    return text
  }
}

/** Result of an empty input. */
export const NO_VALUE: unique symbol = Symbol('no value')

/** The header of a partition key. Headers are ASCII, so other characters are escaped as in JSON. */
export function keyHeader(values: readonly unknown[]): string {
  const texts = values.map((value) =>
    value === undefined ? '{}' : Object.is(value, -0) ? '-0' : JSON.stringify(value)
  )
  return `[${texts.join(',')}]`.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/** The values of a document at the key paths; objects, arrays and missing values count as undefined. */
export function keyOf(document: unknown, paths: readonly (readonly string[])[]): unknown[] {
  return paths.map((path) => {
    let value = document
    for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    return typeof value === 'object' && value !== null ? undefined : value
  })
}

/** A key as text for the page. */
export function keyText(values: readonly unknown[]): string {
  return values.map((value) => (value === undefined ? 'undefined' : JSON.stringify(value))).join(', ')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
