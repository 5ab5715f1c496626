import { element, field } from './element.ts'
import { keyHeader, NO_VALUE, parseKeyInput } from './key-text.ts'

/** Inputs for a partition key: one for each level. */
export interface KeyFields {
  readonly elements: readonly HTMLElement[]
  /** The header of the key, or of the prefix that is given; undefined when all inputs are empty. */
  readonly header: () => string | undefined
  readonly clear: () => void
}

/** Creates the inputs. A value is a string, or JSON such as `5`, `null` or `"5"`. */
export function keyFields(paths: readonly (readonly string[])[]): KeyFields {
  const inputs = paths.map(() =>
    element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', dir: 'auto' })
  )
  return {
    elements: paths.map((path, level) =>
      field(
        `Partition key /${path.join('/')}`,
        inputs[level],
        level === 0 ? 'a string, or JSON: 5, null, "5"' : undefined
      )
    ),
    header: () => {
      const values = inputs.map((input) => parseKeyInput(input.value))
      const given = values.slice(0, values.findLastIndex((value) => value !== NO_VALUE) + 1)
      if (given.length === 0) return undefined
      if (given.includes(NO_VALUE)) throw new Error('A prefix of a key must begin with the first level.')
      return keyHeader(given)
    },
    clear: () => {
      for (const input of inputs) input.value = ''
    }
  }
}
