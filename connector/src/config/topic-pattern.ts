import { RE2JS } from 're2js'

/**
 * A regular expression that whole topic names are matched against. The engine needs linear time: whoever may create topics chooses their names, and a
 * backtracking engine can take forever for one of 40 letters.
 */
export class TopicPattern {
  readonly source: string
  readonly #compiled: RE2JS

  /** Throws a sentence without a subject where the text is not a pattern that the engine takes. */
  constructor(source: string) {
    this.source = source
    try {
      this.#compiled = RE2JS.compile(source)
    } catch (error) {
      throw new Error(`must be a regular expression without lookaround and backreferences (RE2 syntax): ${reasonOf(error)}`, {
        cause: error
      })
    }
  }

  matches(topic: string): boolean {
    return this.#compiled.matches(topic)
  }
}

function reasonOf(error: unknown): string {
  return (error as Error).message.replace('error parsing regexp: ', '')
}
