import type { Home } from '../batch/pending.ts'

/** Counts the bytes on their way, in all and by lane, and lets those wait who would add to a full room. */
export class Room {
  readonly maxBytes: number
  readonly #waiting: { readonly lane: Home; readonly resolve: () => void }[] = []
  #bytes = 0
  #lanes = 1

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Most bytes of one lane: one that is slow does not take the room of all others. */
  get laneBytes(): number {
    return this.maxBytes / Math.min(this.#lanes, SHARES)
  }

  /** An operation belongs to another lane now. */
  move(from: Home, to: Home, bytes: number): void {
    from.bytes -= bytes + HELD_BESIDE
    to.bytes += bytes + HELD_BESIDE
  }

  setLanes(lanes: number): void {
    this.#lanes = lanes
    this.#letIn()
  }

  enter(lane: Home, bytes: number): void {
    this.#bytes += bytes + HELD_BESIDE
    lane.bytes += bytes + HELD_BESIDE
  }

  leave(lane: Home, bytes: number): void {
    this.#bytes -= bytes + HELD_BESIDE
    lane.bytes -= bytes + HELD_BESIDE
    if (this.#waiting.length > 0) this.#letIn()
  }

  /** Whether a lane can take more. */
  hasRoom(lane: Home): boolean {
    return this.#bytes < this.maxBytes && lane.bytes < this.laneBytes
  }

  /** Resolves when a lane can take more. */
  waitFor(lane: Home): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ lane, resolve }))
  }

  /** Lets everybody in: nothing will be taken any more, and they will be told so. */
  open(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  // those who waited longest for their lane come first
  #letIn(): void {
    for (let index = 0; index < this.#waiting.length;) {
      if (this.hasRoom(this.#waiting[index].lane)) this.#waiting.splice(index, 1)[0].resolve()
      else index++
    }
  }
}

const SHARES = 4

// what an operation takes in memory beside its body: without it, small documents would fill the memory while the room looks empty
const HELD_BESIDE = 1024
