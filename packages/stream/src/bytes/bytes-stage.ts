import type { Counts } from '../flow/counts.ts'

/** Stamps bytes that come in pieces of any size. What it gives is gathered until it is taken. */
export interface BytesStage {
  /** Takes the next piece. It is not kept, and not looked at again. */
  readonly push: (chunk: Buffer) => void
  /** Names the input that comes next, where there are several. */
  readonly startInput: (name: string) => void
  /** Ends one input; another one may follow. */
  readonly endInput: () => void
  /** Ends the work. */
  readonly finish: () => void
  /** All that has been made since it was last taken; empty where there is nothing. */
  readonly take: () => Buffer
  readonly counts: Counts
}
