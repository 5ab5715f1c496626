import type { Counts } from '../flow/counts.ts'

/** Foretells how much room a source and its output need, so that they fit into one buffer that is not too large. */
export class OutputSize {
  #growth = 1.3

  expectedFor(bytes: number): number {
    return Math.ceil(bytes * this.#growth) + SLACK_BYTES
  }

  learn({ bytesIn, bytesOut }: Pick<Counts, 'bytesIn' | 'bytesOut'>): void {
    if (bytesIn > ENOUGH_BYTES) this.#growth = Math.max(1, (bytesOut / bytesIn) * 1.02)
  }
}

// before a splice is written, room is made for the longest that it could be
const SLACK_BYTES = 4096
const ENOUGH_BYTES = 64 * 1024
