import { OpenWindow } from './open-window.ts'
import { asPosition, type Position } from './position.ts'
import { KeystampError } from '../errors/keystamp-error.ts'

/** Tracks the records of one sequence that have an outcome, and the position up to which all of them have one. */
export interface SettledPrefix {
  /** Adds a record without an outcome. Positions must ascend; gaps between them are normal. */
  readonly open: (position: Position) => void
  /** Marks a record as settled: it has an outcome. In any order, once for each open record. */
  readonly settle: (position: Position) => void
  /** Position that may be committed: no record before it is open. Never decreases. */
  readonly committable: Position
  /** Number of open records. */
  readonly openCount: number
  /** Oldest open record, which limits `committable`; `undefined` while none is open. */
  readonly oldestOpen: Position | undefined
}

/** Starts at `first`, which is committable before any record is settled. Memory is bounded by the highest number of open records. */
export function createSettledPrefix({ first }: { readonly first: Position }): SettledPrefix {
  const window = new OpenWindow(first)

  function open(position: Position): void {
    if (!(position >= window.next)) throw broken(`Record ${position} was opened, but the next one is ${window.next} or later.`)
    window.push(position)
  }

  function settle(position: Position): void {
    if (!window.remove(position)) throw broken(`Record ${position} was settled, but it is not open.`)
  }

  return {
    open,
    settle,
    get committable() {
      return asPosition(window.count === 0 ? window.next : window.oldestPrevious)
    },
    get openCount() {
      return window.count
    },
    get oldestOpen() {
      return window.count === 0 ? undefined : asPosition(window.oldest)
    }
  }
}

function broken(message: string): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', message)
}
