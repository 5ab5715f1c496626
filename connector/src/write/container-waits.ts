import type { EventEmitter } from 'node:events'
import type { BatchEvent, Contention, RangeStats, ThrottledRange, WriterEvents } from '@keystamp/cosmos'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'

/** Waits of the writes of one container. */
export interface ContainerWaits {
  readonly waits: readonly Wait[]
  /** The Redis that shares the budget does not answer. */
  readonly budgetLost: (reason: string) => void
}

interface ContainerWaitsOptions {
  readonly container: string
  readonly events: EventEmitter<WriterEvents>
  readonly clock: Pick<Clock, 'now'>
  /** Current ranges of the container, and those that are throttled. */
  readonly stats: () => {
    readonly ranges: readonly Pick<RangeStats, 'id' | 'pending'>[]
    readonly throttledRanges: readonly Pick<ThrottledRange, 'range' | 'explanation'>[]
    readonly contention?: Contention | undefined
  }
}

interface RangeWait {
  readonly kind: 'cosmos' | 'throttled'
  readonly result: string
  readonly sinceMs: number
}

/**
 * Derives waits from the last answer of each range. A wait ends with a successful answer, when the range is no longer
 * listed (split, merge), and when nothing of the range is queued or in flight.
 */
export function createContainerWaits({ container, events, clock, stats }: ContainerWaitsOptions): ContainerWaits {
  const byRange = new Map<string, RangeWait>()
  let lost: { readonly reason: string; readonly sinceMs: number } | undefined

  events.on('batchAnswered', (event) => {
    lost = undefined
    const kind = kindOf(event)
    if (kind === undefined) return void byRange.delete(event.rangeId)
    const before = byRange.get(event.rangeId)
    const sinceMs = before?.kind === kind ? before.sinceMs : clock.now()
    byRange.set(event.rangeId, { kind, result: event.result, sinceMs })
  })

  function forgetIdle(): void {
    if (byRange.size === 0 && lost === undefined) return
    const busy = new Set<string>()
    for (const { id, pending } of stats().ranges) if (pending > 0) busy.add(id)
    for (const id of byRange.keys()) if (!busy.has(id)) byRange.delete(id)
    if (busy.size === 0) lost = undefined
  }

  function waitFor(kind: RangeWait['kind'], minMs: number): readonly Wait[] {
    const nowMs = clock.now()
    const waiting = [...byRange].filter(([, wait]) => wait.kind === kind && nowMs - wait.sinceMs >= minMs)
    if (waiting.length === 0) return []
    const sinceMs = Math.min(...waiting.map(([, wait]) => wait.sinceMs))
    const partitions = list(waiting.map(([id]) => id).toSorted((one, other) => Number(one) - Number(other)))
    const results = list([...new Set(waiting.map(([, { result }]) => result))])
    const what =
      kind === 'cosmos'
        ? `the last answer was ${results}`
        : ['every operation was throttled', ...explanationsOf(waiting.map(([id]) => id))].join('; ')
    return [
      {
        reason: kind,
        subject: container,
        detail: `container "${container}", physical partition ${partitions}: ${what}`,
        sinceMs
      }
    ]
  }

  function explanationsOf(ids: readonly string[]): readonly string[] {
    return stats()
      .throttledRanges.filter(({ range }) => ids.includes(range))
      .slice(0, MAX_NAMES)
      .map(({ explanation }) => explanation)
  }

  function contentionWait(): readonly Wait[] {
    const { contention } = stats()
    if (contention === undefined || clock.now() - contention.sinceMs < CONTENTION_MS) return []
    const { operations, sinceMs } = contention
    const changes = operations === 1 ? '1 change' : `${operations} changes`
    return [
      {
        reason: 'contention',
        subject: container,
        detail: `container "${container}", ${changes}: the document was written by another client each time`,
        sinceMs
      }
    ]
  }

  return {
    get waits() {
      forgetIdle()
      const waits = [...waitFor('cosmos', 0), ...waitFor('throttled', THROTTLED_MS), ...contentionWait()]
      if (lost !== undefined)
        waits.push({ reason: 'redis', subject: container, detail: lost.reason, sinceMs: lost.sinceMs })
      return waits
    },
    budgetLost: (reason) => {
      lost = { reason, sinceMs: lost?.sinceMs ?? clock.now() }
    }
  }
}

/** Throttling is normal, and counts as a wait only if no operation has succeeded in a range for this long. */
const THROTTLED_MS = 5000
/** Another write of the same document now and then is normal. */
const CONTENTION_MS = 1000

function kindOf({ result, operations, throttledOperations, isAtomic }: BatchEvent): RangeWait['kind'] | undefined {
  if (throttledOperations > 0 && (isAtomic || throttledOperations >= operations)) return 'throttled'
  return result === 'answered' ? undefined : 'cosmos'
}

function list(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ')
}

const MAX_NAMES = 5
