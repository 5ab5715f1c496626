/** A sentence of the library in the words of the command line: `` `maxRejected` `` is `--max-rejected`, where the command has such an option. */
export function inOptionNames(sentence: string, names: readonly string[]): string {
  return sentence.replaceAll(/`([a-zA-Z]+)`/g, (quoted, name: string) => (names.includes(name) ? `--${toKebab(name)}` : quoted))
}

function toKebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
