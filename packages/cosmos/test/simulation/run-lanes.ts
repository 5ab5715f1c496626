import { createRandom } from '@keystamp/lab'
import { NO_TERMS, Pending } from '../../src/batch/pending.ts'
import { BOTTOMLESS } from '../../src/governor/purse.ts'
import { TimedPurse } from '../../src/governor/timed-purse.ts'
import { Router } from '../../src/router/router.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { statsOf } from '../../src/writer/stats.ts'
import { BudgetedService } from './budgeted-service.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface LanesOptions {
  readonly seed: number
  readonly ranges: number
  readonly ruPerSecond: number
  readonly seconds: number
  readonly isBudgetKnown: boolean
  readonly mostRetryAfterMs: number
  /** How late timers are, in milliseconds; one in a hundred is ten times as late. */
  readonly latenessMs: number
  readonly chargeRu: (random: () => number) => number
  /** Which range the next operation of a caller belongs to. */
  readonly nextRange: (random: () => number, caller: number) => number
  /** Default: one. */
  readonly callers?: number
  /** Milliseconds between two operations of a caller. Default: none; as fast as there is room. */
  readonly everyMs?: (caller: number) => number
  readonly maxBytes: number
}

export interface LanesResult {
  /** Share of its RU that each range did work with, once prices are learned. */
  readonly usedShares: readonly number[]
  readonly throttledShare: number
  /** Operations that were open at once. */
  readonly mostOpen: number
  /** Ranges that had as much waiting as they may hold, when all was over. */
  readonly busyRanges: number
}

/** Callers who write into several ranges as fast as there is room. */
export async function runLanes(options: LanesOptions): Promise<LanesResult> {
  const { seed, ranges, ruPerSecond, seconds, isBudgetKnown, latenessMs, maxBytes } = options
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const services = Array.from({ length: ranges }, () => serviceOf(options, clock, random))
  const schedule = (ms: number, call: () => void): (() => void) =>
    clock.schedule(Math.ceil(ms) + random() * latenessMs * (random() < 0.01 ? 10 : 1), call)
  const transport: Transport = { send: (request) => services[Number(request.rangeId)].send(request), close: () => {} }
  const load = { isOver: false }
  const router = new Router({
    ranges: services.map((_, index) => ({
      id: String(index),
      min: minOf(index),
      max: index + 1 === ranges ? 'FF' : minOf(index + 1),
      parents: []
    })),
    transport,
    clock: { ...clock, now: clock.now, schedule },
    random,
    maxBytes,
    retryForMs: 1e9,
    createPurse: () => (isBudgetKnown ? new TimedPurse(ruPerSecond, clock.now()) : BOTTOMLESS),
    refreshRanges: () => Promise.reject(new Error('Nothing moves here.')),
    checkContainer: () => Promise.resolve(),
    renewSignatures: () => {},
    refreshEndpoints: () => {},
    onStop: (error) => {
      if (!load.isOver) throw error
    }
  })
  let open = 0
  let mostOpen = 0
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
  // whoever pauses between two operations comes to his end as well
  await clock.runUntil(() => false, clock.now() + 1000)
  await ended
  return { usedShares, throttledShare: throttled / operations, mostOpen, busyRanges }

  async function write(caller: number): Promise<void> {
    for (let written = 0; !load.isOver; written++) {
      const range = options.nextRange(random, caller)
      const lane = router.submit(pendingOf(`${caller}-${written}`, range, () => open--))
      mostOpen = Math.max(mostOpen, ++open)
      if (!router.room.hasRoom(lane)) await router.room.waitFor(lane)
      const pauseMs = options.everyMs?.(caller) ?? 0
      if (pauseMs > 0) await clock.sleep(pauseMs)
    }
  }
}

function serviceOf({ ruPerSecond, chargeRu, mostRetryAfterMs }: LanesOptions, clock: VirtualClock, random: () => number): BudgetedService {
  return new BudgetedService({
    clock,
    random,
    ruPerSecond,
    chargeRu: () => chargeRu(random),
    latencyMs: () => 8 + random() * 4 + (random() < 0.01 ? 30 : 0),
    mostRetryAfterMs
  })
}

const LEARNING_MS = 2000
const BODY = `{"text":"${'x'.repeat(900)}"}`

function pendingOf(id: string, range: number, onOutcome: () => void): Pending {
  return new Pending({ type: 'Upsert', values: ['k'], id, epk: minOf(range), body: BODY, terms: NO_TERMS }, onOutcome)
}

function minOf(range: number): string {
  return range === 0 ? '' : range.toString(16).padStart(2, '0').toUpperCase()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
