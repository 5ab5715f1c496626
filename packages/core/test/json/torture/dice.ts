/** Random numbers that are the same for the same seed. */
export interface Dice {
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(choices: readonly T[]) => T
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  return { below, chance: (probability) => next() < probability, pick: (choices) => choices[below(choices.length)] }

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function below(count: number): number {
    return Math.floor(next() * count)
  }
}
