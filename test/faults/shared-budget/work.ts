import type { SharedBudget } from '@keystamp/cosmos'

/** Task of a process. */
export interface Work {
  readonly name: string
  readonly place: {
    readonly endpoint: string
    readonly key: string
    readonly database: string
    readonly container: string
  }
  /** Without it, this process has the whole budget. */
  readonly sharedThrough?: SharedBudget
  readonly seconds: number
}

/** One request, and when it was sent. */
export interface SentBatch {
  readonly rangeId: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  readonly chargedRu: number
  readonly expectedRu: number
}

/** Result of a process. */
export interface Worked {
  readonly sent: readonly SentBatch[]
  readonly operations: number
  readonly throttledOperations: number
  /** Milliseconds without a processor while it wrote. */
  readonly cpuWaitMs: number
}
