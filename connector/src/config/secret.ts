import type { Secret } from './settings.ts'

const HIDDEN = '[secret]'

/** Wraps a secret, so that it is said only where it is asked for. */
export function createSecret(text: string): Secret {
  return new HiddenText(text)
}

/** Tells a secret from other settings. */
export function isSecret(value: object): value is Secret {
  return value instanceof HiddenText
}

class HiddenText implements Secret {
  #text: string

  constructor(text: string) {
    this.#text = text
  }

  readonly reveal = (): string => this.#text

  readonly replace = (text: string): void => {
    this.#text = text
  }

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
