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

/** The same, for files: a parser of others may need a moment for a piece. */
export interface FileStage extends Omit<BytesStage, 'push' | 'endInput'> {
  readonly push: (chunk: Buffer) => void | Promise<void>
  readonly endInput: () => void | Promise<void>
}
