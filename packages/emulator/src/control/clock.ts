/** The clock of an emulator: it can be put forward, so that tests need not wait for a time to live or a new second. */
export class Clock {
  readonly #source: () => number
  #aheadMs = 0

  constructor(source: () => number) {
    this.#source = source
  }

  now = (): number => this.#source() + this.#aheadMs

  /** Puts the clock forward. */
  advance(ms: number): void {
    this.#aheadMs += ms
  }
}
