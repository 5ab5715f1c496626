import { headOf } from '@keystamp/core'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { statsOf } from '../../src/writer/stats.ts'
import { type BudgetOptions, minOf, openBudgetedRanges } from './budgeted-ranges.ts'

export interface LanesOptions extends BudgetOptions {
  readonly ranges: number
  readonly seconds: number
  /** Selects the range of the next operation of a caller. */
  readonly nextRange: (random: () => number, caller: number) => number
  /** Number of callers. Default: one. */
  readonly callers?: number
  /** Milliseconds between two operations of a caller. Default: no pause, unless the byte budget is full. */
  readonly everyMs?: (caller: number) => number
  readonly maxBytes: number
}

export interface LanesResult {
  /** Share of its RU that each range has used, after prices are learned. */
  readonly usedShares: readonly number[]
  readonly throttledShare: number
  /** Maximum number of operations that were open at once. */
  readonly maxOpen: number
  /** Ranges whose queue was full at the end. */
  readonly busyRanges: number
}

/** Runs callers that write into several ranges as fast as the byte budget allows. */
export async function runLanes(options: LanesOptions): Promise<LanesResult> {
  const { ruPerSecond, seconds } = options
  const load = { isOver: false }
  const { clock, random, services, router } = openBudgetedRanges({
    ...options,
    onStop: (error) => {
      if (!load.isOver) throw error
    }
  })
  let open = 0
  let maxOpen = 0
  const ended = Promise.all(Array.from({ length: options.callers ?? 1 }, (_, caller) => write(caller)))
  await clock.runUntil(() => false, LEARNING_MS)
  const before = services.map(({ usedRu, operations, throttled }) => ({ usedRu, operations, throttled }))
  await clock.runUntil(() => false, LEARNING_MS + seconds * 1000)
  const usedShares = services.map(({ usedRu }, index) => (usedRu - before[index].usedRu) / seconds / ruPerSecond)
  const operations = sum(services.map((service, index) => service.operations - before[index].operations))
  const throttled = sum(services.map((service, index) => service.throttled - before[index].throttled))
  const { busyRanges } = statsOf(router, { ruPerSecond: undefined, unknown: undefined })
  load.isOver = true
  router.stop(new Error('The load is over.'))
  // callers that pause between two operations end, too
  await clock.runUntil(() => false, clock.now() + 1000)
  await ended
  return { usedShares, throttledShare: throttled / operations, maxOpen, busyRanges }

  async function write(caller: number): Promise<void> {
    for (let written = 0; !load.isOver; written++) {
      const range = options.nextRange(random, caller)
      const lane = router.submit(pendingOf(`${caller}-${written}`, range, () => open--))
      maxOpen = Math.max(maxOpen, ++open)
      if (!router.byteBudget!.hasRoom(lane)) await router.byteBudget!.waitFor(lane)
      const pauseMs = options.everyMs?.(caller) ?? 0
      if (pauseMs > 0) await clock.sleep(pauseMs)
    }
  }
}

const LEARNING_MS = 2000
const BODY = `{"text":"${'x'.repeat(900)}"}`

function pendingOf(id: string, range: number, onOutcome: () => void): PendingOperation {
  return new PendingOperation(
    {
      type: 'Upsert',
      values: ['k'],
      id,
      definition: {},
      head: headOf(minOf(range)) + 1,
      body: BODY,
      conditions: NO_CONDITIONS
    },
    onOutcome
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
