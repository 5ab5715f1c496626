import type { Secret } from './settings.ts'

const HIDDEN = '[secret]'

/** Wraps a secret, so that it is said only where it is asked for. */
export function createSecret(text: string): Secret {
  return new HiddenText(text)
}

class HiddenText implements Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  readonly reveal = (): string => this.#text

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN
  }
}
