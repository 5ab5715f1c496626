import { OpenWindow } from './open-window.ts'
import { asPosition, type Position } from './position.ts'
import { KeystampError } from '../errors/keystamp-error.ts'

/** Tracks which records of one sequence are settled, and how far all of them are. */
export interface SettledPrefix {
  /** A record now owes an outcome. Positions ascend; gaps between them are normal. */
  readonly open: (position: Position) => void
  /** The record has its outcome. In any order, once for each opened record. */
  readonly settle: (position: Position) => void
  /** The position behind the last record before which none is open: what may be committed. Never falls. */
  readonly committable: Position
  /** How many records are open. */
  readonly openCount: number
  /** The record that holds `committable` back; `undefined` while none is open. */
  readonly oldestOpen: Position | undefined
}

/** Begins at `first`, the position that is committable before anything is settled. Memory is bounded by the highest number of open records. */
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
