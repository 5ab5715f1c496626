/** A step of a patch. */
export interface PatchStep {
  readonly op: string
  readonly path: string
  readonly value: number
}

type Stored = Readonly<Record<string, unknown>>

/** The document after the steps. */
export function patched(document: Stored, steps: readonly PatchStep[]): Stored {
  const result: Record<string, unknown> = { ...document }
  for (const { op, path, value } of steps) {
    const name = path.slice(1)
    result[name] = op === 'incr' ? Number(result[name] ?? 0) + value : value
  }
  return result
}

/**
 * Whether the document meets the condition of a patch. Knows only comparisons of properties with numbers and text,
 * `NOT IS_DEFINED`, `AND`, `OR` and parentheses. Values of different types never compare.
 */
export function meets(document: Stored, condition: string): boolean {
  const tokens = [...condition.replace(/^from c where /, '').matchAll(TOKEN)].map(([token]) => token)
  const isMet = either()
  if (tokens.length > 0) throw new Error(`The condition goes on: ${tokens.join(' ')}`)
  return isMet

  function either(): boolean {
    let is = both()
    while (tokens[0] === 'OR') is = [tokens.shift(), both()][1] === true || is
    return is
  }

  function both(): boolean {
    let is = single()
    while (tokens[0] === 'AND') is = [tokens.shift(), single()][1] === true && is
    return is
  }

  function single(): boolean {
    const token = tokens.shift()!
    if (token === '(') return [either(), tokens.shift()][0] === true
    if (token === 'NOT IS_DEFINED(') return [valueAt(tokens.shift()!) === undefined, tokens.shift()][0] === true
    const operator = tokens.shift()
    return compare(valueAt(token), operator, JSON.parse(tokens.shift()!) as unknown)
  }

  function valueAt(path: string): unknown {
    const names = [...path.matchAll(/\["(.*?)"\]/g)].map(([, name]) => name)
    return names.reduce<unknown>((holder, name) => (holder as Stored | undefined)?.[name], document)
  }
}

const TOKEN = /NOT IS_DEFINED\(|c(?:\[".*?"\])+|AND|OR|[()]|<|>=|=|-?[\d.]+|"(?:[^"\\]|\\.)*"/g

function compare(value: unknown, operator: string | undefined, other: unknown): boolean {
  if (operator === '=') return value === other
  if (typeof value !== 'number' || typeof other !== 'number') return false
  return operator === '<' ? value < other : value >= other
}
