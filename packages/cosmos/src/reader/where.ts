import { KeystampError } from '@keystamp/core'

/** A condition that narrows a query, with the values of its parameters. */
export interface Where {
  readonly condition: string
  /** With the leading `@`. */
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
}

/** Values of the parameters of a condition, by their names: `{ min: 5 }` for `c.km > @min`. */
export type WhereParameters = Readonly<Record<string, unknown>>

/** Throws OPTION_INVALID for what cannot be a condition, and for parameters that do not fit it. */
export function toWhere(condition: string | undefined, parameters: WhereParameters | undefined): Where | undefined {
  if (condition === undefined) {
    if (parameters !== undefined) throw invalid('`parameters` are values for `where`, which is not given.')
    return undefined
  }
  if (typeof condition !== 'string' || condition.trim() === '' || /^\s*(?:where|select)\s/i.test(condition)) {
    throw invalid('`where` is a condition on the document `c`, such as "c.km > @min", without the words SELECT and WHERE.')
  }
  if (parameters !== undefined && (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))) {
    throw invalid('`parameters` is an object with the values by name, such as { min: 5 } for "c.km > @min".')
  }
  const given = Object.entries(parameters ?? {}).map(([name, value]) => ({ name: name.startsWith('@') ? name : `@${name}`, value }))
  const used = new Set(withoutTexts(condition).match(/@\w+/g) ?? [])
  for (const name of used) {
    if (!given.some((each) => each.name === name)) throw invalid(`\`where\` uses ${name}, and \`parameters\` has no value for it.`)
  }
  for (const { name, value } of given) {
    if (!used.has(name)) throw invalid(`\`parameters\` has a value for ${name}, which \`where\` does not use.`)
    if (value === undefined || typeof value === 'function' || typeof value === 'bigint')
      throw invalid(`The parameter ${name} must be a value that JSON has.`)
  }
  return { condition, parameters: given }
}

// an @ inside of a text is no parameter
function withoutTexts(condition: string): string {
  return condition.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '')
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
