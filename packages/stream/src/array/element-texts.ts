import { isMany, type Many, none } from 'stream-chain/defs.js'
import { pick } from 'stream-json/core/filters/pick.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'

/** Rebuilds the elements of an array from tokens. Numbers keep their text, so that no digit is lost. */
export class ElementTexts {
  #depth = 0
  #text = ''
  #needsComma = false
  #isSkipping = false
  /** True if the first token begins an array; undefined before the first token. */
  isArray: boolean | undefined

  /** Returns the element that this token completes, or undefined. */
  take(token: Token): string | undefined {
    this.isArray ??= token.name === 'startArray'
    switch (token.name) {
      case 'startObject':
        return this.#open('{')
      case 'startArray':
        return this.#open('[')
      case 'endObject':
        return this.#close('}')
      case 'endArray':
        return this.#close(']')
      case 'keyValue':
        this.#write(`${JSON.stringify(token.value)}:`)
        this.#needsComma = false
        return undefined
      case 'stringValue':
        return this.#scalar(JSON.stringify(token.value))
      case 'numberValue':
        return this.#scalar(token.value)
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        return this.#scalar(String(token.value))
      default:
        return undefined
    }
  }

  /** Length of the incomplete element. */
  get length(): number {
    return this.#text.length
  }

  /** Drops the incomplete element: its text so far, and its tokens that follow. */
  skip(): void {
    this.#text = ''
    this.#isSkipping = true
  }

  #open(bracket: string): undefined {
    if (this.#depth > 0) this.#write(bracket)
    this.#depth++
    this.#needsComma = false
    return undefined
  }

  #close(bracket: string): string | undefined {
    this.#depth--
    if (this.#depth === 0) return undefined
    this.#needsComma = false
    this.#write(bracket)
    return this.#complete()
  }

  #scalar(text: string): string | undefined {
    this.#write(text)
    return this.#complete()
  }

  #complete(): string | undefined {
    this.#needsComma = this.#depth > 1
    if (this.#depth > 1) return undefined
    const text = this.#text
    const isSkipped = this.#isSkipping
    this.#text = ''
    this.#isSkipping = false
    return isSkipped ? undefined : text
  }

  #write(piece: string): void {
    if (!this.#isSkipping) this.#text += this.#needsComma ? `,${piece}` : piece
  }
}

/**
 * Parses a document chunk by chunk and returns the tokens of the value at a path. Checks the whole document; throws if
 * it is not valid JSON.
 */
interface TokenPicker {
  readonly push: (text: string) => readonly Token[]
  readonly finish: () => readonly Token[]
}

export function createTokenPicker(path: string): TokenPicker {
  const parse = jsonParser({ packValues: true, streamValues: false }) as (
    text: string | typeof none
  ) => Many<Token> | typeof none
  const filter = pick({ filter: path }) as unknown as (token: Token) => unknown
  return { push: read, finish: () => read(none) }

  function read(text: string | typeof none): readonly Token[] {
    const picked: Token[] = []
    for (const token of listOf(parse(text))) for (const kept of listOf(filter(token))) picked.push(kept)
    return picked
  }
}

function listOf(result: unknown): readonly Token[] {
  if (result === none) return []
  return isMany(result) ? (result.values as readonly Token[]) : [result as Token]
}
