/**
 * Writes a sentence of the library in the options of the command line, where the command has such an option: `` `maxRejected` `` becomes `--max-rejected`,
 * `` `form: "array"` `` becomes `--array`, `` `plan` `` becomes `--plan or --from`, and `` `checkpoint: false` `` becomes `--no-checkpoint`.
 */
export function inOptionNames(sentence: string, names: readonly string[]): string {
  return sentence.replaceAll(
    /`([a-zA-Z]+)(?:: (?:"([^"`]+)"|(false)))?`/g,
    (quoted, name: string, value: string | undefined, no: string | undefined) => {
      if (name === 'form' && value !== undefined && names.includes(value)) return `--${value}`
      if (!names.includes(name)) return quoted
      if (name === 'plan' && names.includes('from')) return '--plan or --from'
      if (no !== undefined) return `--no-${toKebab(name)}`
      return `--${toKebab(name)}${value === undefined ? '' : ` ${/^[\w.:/]+$/.test(value) ? value : `'${value}'`}`}`
    }
  )
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
