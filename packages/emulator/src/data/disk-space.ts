import { statfsSync } from 'node:fs'
import { ServiceError } from '../service-error.ts'

/** Refuses writes before the disk is full, so that every write that is applied can also be kept. */
export class DiskSpace {
  readonly #folder: string
  readonly #freeBytes: () => number
  #checkedAt = -Infinity
  #checkedMs = -Infinity
  #free = Infinity

  constructor(folder: string, freeBytes: () => number = () => freeBytesOf(folder)) {
    this.#folder = folder
    this.#freeBytes = freeBytes
  }

  /** Refuses a write when the disk has too little space; `position` is the size of the log. */
  admit(position: number): void {
    const nowMs = Date.now()
    const isOld = Math.abs(position - this.#checkedAt) > CHECK_BYTES || nowMs - this.#checkedMs > CHECK_MS
    if (isOld) {
      this.#free = this.#freeBytes()
      this.#checkedAt = position
      this.#checkedMs = nowMs
    }
    if (this.#free >= MIN_FREE_BYTES) return
    throw new ServiceError(
      503,
      `The disk of the data folder ${this.#folder} is full: ${toMb(this.#free)} MB are free, and the emulator keeps ${toMb(MIN_FREE_BYTES)} MB free. It refuses writes until there is more space.`
    )
  }
}

const MIN_FREE_BYTES = 32 << 20
const CHECK_BYTES = 4 << 20
const CHECK_MS = 250

function toMb(bytes: number): number {
  return Math.floor(bytes / 2 ** 20)
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    // some file systems do not tell their size
    return blocks === 0 ? Infinity : bavail * bsize
  } catch {
    return Infinity
  }
}
