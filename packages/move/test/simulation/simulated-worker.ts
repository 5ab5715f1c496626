import type { Clock } from '@keystamp/core/internal'
import type { Random, VirtualClock } from '@keystamp/testkit'
import type { SimulatedProcess } from './simulated-container.ts'

/** A process that can end and stand still, and whose clock of the time of day jumps. */
export class SimulatedWorker implements SimulatedProcess {
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #freezesAtSend: () => number
  #isAlive = true
  #frozenUntilMs = 0
  #jumpedMs = 0

  /** `freezesAtSend`: milliseconds for which the process stands still before its next request; 0: it does not. */
  constructor(clock: VirtualClock, random: Random, freezesAtSend: () => number = () => 0) {
    this.#clock = clock
    this.#random = random
    this.#freezesAtSend = freezesAtSend
  }

  readonly isAlive = (): boolean => this.#isAlive

  readonly random = (): number => this.#random.next()

  /** The clock of the process: calls that are due while it stands still come later, and none after its end. */
  readonly clock: Clock = {
    now: () => this.#clock.now(),
    schedule: (ms, run) => {
      let isCanceled = false
      const runLater = async (): Promise<void> => {
        await this.moves()
        if (this.#isAlive && !isCanceled) run()
      }
      const cancel = this.#clock.schedule(ms, () => void runLater())
      return () => {
        isCanceled = true
        cancel()
      }
    }
  }

  readonly wallMs = (): number => this.#clock.now() + this.#jumpedMs

  readonly beforeSend = async (): Promise<void> => {
    const ms = this.#freezesAtSend()
    if (ms > 0) this.freeze(ms)
    await this.moves()
  }

  readonly moves = async (): Promise<void> => {
    while (this.#frozenUntilMs > this.#clock.now()) await this.#clock.sleep(this.#frozenUntilMs - this.#clock.now())
  }

  kill(): void {
    this.#isAlive = false
  }

  freeze(ms: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, this.#clock.now() + ms)
  }

  /** Sets the time of day to another one. */
  jump(): void {
    this.#jumpedMs = jump(this.#random)
  }
}

/** Milliseconds by which the time of day of a process is wrong after it was set. */
export function jump(random: Random): number {
  return random.pick([-1, 1]) * random.below(100_000)
}
