import type { RejectSettings } from '../config/settings.ts'
import type { Tolerance } from './reject-desk.ts'

/** Looks at the last `window` records and says when more than `percent` of them were rejected. What was not seen yet counts as good. */
export function createTolerance({ percent, window }: NonNullable<RejectSettings['tolerance']>): Tolerance {
  const allowed = Math.floor((window * percent) / 100)
  // a ring: 0 for a record that passed, else the number of its reason behind 1
  const last = new Uint8Array(window)
  const reasons: Reason[] = []
  let next = 0
  let count = 0

  function add(reason: number): void {
    const leaving = last[next]
    if (leaving > 0) {
      reasons[leaving - 1].count--
      count--
    }
    last[next] = reason
    next = next + 1 === window ? 0 : next + 1
  }

  function rejected(code: string, message: string): void {
    let index = reasons.findIndex((reason) => reason.code === code)
    if (index < 0) index = reasons.push({ code, message, count: 0 }) - 1
    add(index + 1)
    reasons[index].count++
    count++
  }

  function exceeded(): string | undefined {
    if (count <= allowed) return undefined
    const most = reasons.filter((reason) => reason.count > 0).toSorted((one, other) => other.count - one.count)
    const named = most.slice(0, MOST_REASONS).map((reason) => `  ${reason.count} x ${reason.code}, the first: ${reason.message}`)
    const others = most.length > MOST_REASONS ? [`  and ${most.length - MOST_REASONS} other reasons`] : []
    return [`${count} of the last ${window} records were rejected; ${allowed} are tolerated (${percent} %):`, ...named, ...others].join(
      '\n'
    )
  }

  return { rejected, passed: () => add(0), exceeded }
}

interface Reason {
  readonly code: string
  /** As it was said first. */
  readonly message: string
  count: number
}

const MOST_REASONS = 5
