/** Pseudo-random numbers, the same for the same seed. */
export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number
  /** A whole number, at least 0, below `count`. */
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(choices: readonly T[]) => T
  readonly text: (length: number, alphabet: string) => string
}

/** Makes the generator mulberry32: small, fast, and good enough for test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)],
    text
  }

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function below(count: number): number {
    return Math.floor(next() * count)
  }

  function text(length: number, alphabet: string): string {
    let made = ''
    for (let each = 0; each < length; each++) made += alphabet[below(alphabet.length)]
    return made
  }
}
