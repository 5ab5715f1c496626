import type { Lane } from '../lane/lane.ts'

/**
 * Whether any lane could use more operations. While one could, whoever writes goes on, whatever waits in the others; once none can,
 * more would only grow old in memory.
 */
export class Appetite {
  #lanes: readonly Lane[] = []
  #at = 0

  setLanes(lanes: readonly Lane[]): void {
    this.#lanes = lanes
    this.#at = 0
  }

  isThere(): boolean {
    const { length } = this.#lanes
    // the lane that was hungry when asked last, mostly still is
    for (let looked = 0; looked < length; looked++) {
      if (this.#lanes[this.#at].wantsMore) return true
      this.#at = this.#at + 1 === length ? 0 : this.#at + 1
    }
    return false
  }
}
