import type { Modifiers } from './modifiers.ts'

/** A place in the text of a pattern. */
export class PatternReader {
  readonly modifiers: Modifiers
  readonly #characters: readonly string[]
  #at: number = 0
  /** How many groups were opened. */
  groups: number = 0

  constructor(text: string, modifiers: Modifiers) {
    this.#characters = [...text]
    this.modifiers = modifiers
  }

  atEnd(): boolean {
    return this.#at >= this.#characters.length
  }

  peek(): string {
    return this.#characters[this.#at] ?? ''
  }

  next(): string {
    return this.#characters[this.#at++] ?? ''
  }

  is(character: string, ahead: number = 0): boolean {
    return this.#characters[this.#at + ahead] === character
  }

  take(character: string): boolean {
    const found = this.is(character)
    if (found) this.#at++
    return found
  }

  takeThrough(last: string): void {
    while (!this.atEnd() && this.next() !== last);
  }

  /** Takes `length` characters when all of them fit the shape. */
  takeShape(length: number, shape: RegExp): string | undefined {
    const found = this.#characters.slice(this.#at, this.#at + length).join('')
    if (!shape.test(found)) return undefined
    this.#at += length
    return found
  }

  skipBlank(): void {
    while (this.modifiers.extended && /^\s$/.test(this.peek())) this.#at++
  }

  /** Takes `*`, `+`, `?`, `{2}`, `{2,}` or `{2,5}`. */
  takeRange(): { least: number; most: number } | undefined {
    if (this.take('*')) return { least: 0, most: Number.POSITIVE_INFINITY }
    if (this.take('+')) return { least: 1, most: Number.POSITIVE_INFINITY }
    if (this.take('?')) return { least: 0, most: 1 }
    const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#characters.slice(this.#at, this.#at + 16).join(''))
    if (counted === null) return undefined
    this.#at += counted[0].length
    const least = Number(counted[1])
    if (counted[2] === undefined) return { least, most: least }
    return { least, most: counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3]) }
  }

  /** The test for one character, in any case where the modifiers say so. */
  isCharacter(expected: string): (character: string) => boolean {
    if (!this.modifiers.ignoreCase) return (character) => character === expected
    const lower = expected.toLowerCase()
    return (character) => character.toLowerCase() === lower
  }
}
