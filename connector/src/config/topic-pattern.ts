import { RE2JS } from 're2js'

/**
 * Regular expression that whole topic names are matched against. The engine runs in linear time: clients that create
 * topics choose their names, and a backtracking engine can take forever for a name of 40 characters.
 */
export class TopicPattern {
  readonly source: string
  readonly #compiled: RE2JS

  /**
   * Throws if the engine does not accept the pattern. The message begins with `must be`: the caller puts the name of
   * the setting before it.
   */
  constructor(source: string) {
    this.source = source
    try {
      this.#compiled = RE2JS.compile(source)
    } catch (error) {
      throw new Error(
        `must be a regular expression without lookaround and backreferences (RE2 syntax): ${reasonOf(error)}`,
        {
          cause: error
        }
      )
    }
  }

  matches(topic: string): boolean {
    return this.#compiled.matches(topic)
  }

  /** Names and numbers of the groups. */
  get groups(): readonly string[] {
    const numbers = Array.from({ length: this.#compiled.groupCount() }, (_, index) => String(index + 1))
    return [...Object.keys(this.#compiled.namedGroups()), ...numbers]
  }

  /** Text of a group in a topic that matches; empty if the group takes no part. */
  textOf(group: string, topic: string): string {
    const match = this.#compiled.matcher(topic)
    if (!match.matches()) return ''
    return match.group(/^\d+$/.test(group) ? Number(group) : group) ?? ''
  }
}

function reasonOf(error: unknown): string {
  return (error as Error).message.replace('error parsing regexp: ', '')
}
