import { isUtf8 } from 'node:buffer'
import { KeystampError } from '@keystamp/core'

/**
 * Columns of a CSV input. Each name is a JSON string with a colon, and has one character for each byte of its UTF-8.
 */
export interface CsvHeader {
  readonly names: readonly string[]
}

/** Creates a header from the values of the header line. Throws if a column cannot be a property. */
export function createCsvHeader(
  names: readonly string[],
  delimiter: string | undefined,
  explain: (what: string) => KeystampError
): CsvHeader {
  const other =
    delimiter === undefined && names.length === 1 ? OTHER_DELIMITERS.find((one) => names[0].includes(one)) : undefined
  if (other !== undefined) {
    throw explain(
      `the header line has only one column, which contains ${describe(other)}: read it with \`delimiter: "${nameOf(other)}"\`.`
    )
  }
  if (!isUtf8(Buffer.from(names.join('\n'), 'latin1'))) throw explain(`the header line is ${NOT_UTF8}`)
  const columns = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    if (name.includes('\r'))
      throw explain(`the name of column ${index + 1} holds a carriage return. Lines have to end in \\n or \\r\\n.`)
    if (name === '') throw explain(`column ${index + 1} of the header line has no name.`)
    const first = columns.get(name)
    if (first !== undefined)
      throw explain(`columns ${first + 1} and ${index + 1} of the header line have the same name.`)
    columns.set(name, index)
  }
  return { names: names.map((name) => `${JSON.stringify(name)}:`) }
}

/** Converts a record to the text of a JSON object. An empty value counts as missing and is left out. */
export function jsonOf({ names }: CsvHeader, values: readonly string[]): string {
  let text = ''
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    if (value === '') continue
    // a surplus value is kept, so that the rejected record shows it
    text += `${text === '' ? '' : ','}${names[index] ?? `"column ${index + 1}":`}${JSON.stringify(value)}`
  }
  return `{${text}}`
}

/** End of a message about CSV that is not UTF-8. */
export const NOT_UTF8 =
  'not UTF-8. Convert the file to UTF-8 in a pipe, for example from Windows-1252: iconv -f WINDOWS-1252 -t UTF-8.'

const OTHER_DELIMITERS: readonly string[] = [';', '\t', '|']

/** Name of a delimiter in options. */
export function nameOf(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter
}

function describe(delimiter: string): string {
  return delimiter === '\t' ? 'tabs' : `"${delimiter}"`
}

/** Converts an option to a delimiter. The option is one ASCII character, or "tab". */
export function toDelimiter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const delimiter = text === 'tab' || text === String.raw`\t` ? '\t' : text
  // oxlint-disable-next-line no-control-regex -- a control character can be a delimiter
  if (/^[\0-\x7f]$/.test(delimiter) && !'"\r\n'.includes(delimiter)) return delimiter
  throw new KeystampError('OPTION_INVALID', '`delimiter` must be one character, such as ";", or "tab".')
}
