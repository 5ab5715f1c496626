import type { Counts } from '../flow/counts.ts'

/** Foretells how much a chunk will give, so that its output fits into one buffer that is not too large. */
export class OutputSize {
  #ratio = 1.3

  expectedFor(bytes: number): number {
    return Math.ceil(bytes * this.#ratio) + SLACK_BYTES
  }

  learn({ bytesIn, bytesOut }: Counts): void {
    if (bytesIn > ENOUGH_BYTES) this.#ratio = (bytesOut / bytesIn) * 1.02
  }
}

const SLACK_BYTES = 256
const ENOUGH_BYTES = 64 * 1024
