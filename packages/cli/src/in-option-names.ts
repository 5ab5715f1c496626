/**
 * A sentence of the library in the words of the command line: `` `maxRejected` `` is `--max-rejected`, and `` `form: "array"` `` is `--array`,
 * where the command has such an option.
 */
export function inOptionNames(sentence: string, names: readonly string[]): string {
  return sentence.replaceAll(/`([a-zA-Z]+)(?:: "([^"`]+)")?`/g, (quoted, name: string, value: string | undefined) => {
    if (name === 'form' && value !== undefined && names.includes(value)) return `--${value}`
    if (!names.includes(name)) return quoted
    return `--${toKebab(name)}${value === undefined ? '' : ` ${/^[\w.]+$/.test(value) ? value : `'${value}'`}`}`
  })
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
