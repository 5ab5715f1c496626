import { createPlan, type Plan } from '@keystamp/core'
import {
  createRandom,
  type EntityChange,
  type HistoryPeriod,
  judgeHistory,
  makeHistory,
  VirtualClock
} from '@keystamp/testkit'
import { LocalRuBudget, UNLIMITED } from '../../src/budget/ru-budget.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import { Router } from '../../src/dispatch/router.ts'
import { resolveNewest } from '../../src/writer/newest-options.ts'
import { DELETED } from '../../src/newest/position.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { createOperationIntake, type OperationIntake } from '../../src/writer/operation-intake.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import { courseOf, documentsOf, MARKER_TTL, numberOf, operationOf } from './newest-course.ts'
import { SimulatedService } from './simulated-service.ts'

export interface NewestRun {
  /** Violations, one sentence each. */
  readonly wrong: readonly string[]
  readonly counts: NewestRunCounts
}

export interface NewestRunCounts {
  older: number
  reads: number
  conflicts: number
  superseded: number
  crashes: number
  /** Requests that were applied after their answer was lost. */
  appliedLate: number
  /** Markers that expired. */
  expired: number
  /** Documents of another program. */
  foreign: number
  twins: number
  patches: number
  atomic: number
}

const KEYS = createPlan({ into: '/pk', from: [{ field: '/area' }] }, { requireId: true }) as Plan
const FAULTS_MS = 800

/**
 * Several sinks store the changes of a history: in any order, repeatedly, and from the beginning again after a crash.
 * Requests are lost, and applied late; replicas are behind; ranges split. Another program that follows the same rule
 * writes, too. After each period, the markers expire.
 */
export async function runNewest(seed: number): Promise<NewestRun> {
  const random = createRandom(seed)
  const clock = new VirtualClock()
  const wrong: string[] = []
  const counts: NewestRunCounts = { ...NOTHING }
  const course = courseOf(random)
  let highest = new Map<string, number>()
  const faultShare = random.next() * 0.4
  const service = new SimulatedService({
    clock,
    random: random.next,
    faultShare,
    rangeCount: 1 + random.below(3),
    staleReads: true,
    lateMs: 1500,
    onApplied: expectNothingOlder
  })
  const settings = resolveNewest({
    ...(course.by === 'field' ? { field: '/n' } : {}),
    ties: 'first',
    markerTtl: MARKER_TTL,
    maxKnown: random.chance(0.3) ? 0 : 8
  })
  const offsets: number[] = []
  for (const period of makeHistory(random, course)) {
    await runPeriod(period)
    expectWanted(period)
    for (const [partition, records] of period.partitions.entries())
      offsets[partition] = (offsets[partition] ?? 0) + records.length
    await untilMarkersExpire()
  }
  return { wrong, counts }

  async function runPeriod(period: HistoryPeriod): Promise<void> {
    const endMs = clock.now() + FAULTS_MS
    const { crashes } = counts
    service.faultShare = faultShare
    clock.schedule(FAULTS_MS, () => (service.faultShare = 0))
    void moveNowAndThen(endMs)
    const sinks = Array.from({ length: 1 + random.below(3) }, () => runSink(period, endMs))
    let isOver = false
    void Promise.all([...sinks, runForeign(period.foreign)]).then(() => (isOver = true))
    await clock.runUntil(() => isOver, Number.POSITIVE_INFINITY)
    counts.appliedLate += service.late
    await clock.runUntil(() => service.late === 0, Number.POSITIVE_INFINITY)
    const isAlone = sinks.length === 1 && counts.crashes === crashes
    for (const name of service.collisions.splice(0)) if (isAlone) wrong.push(`${name} was in flight twice`)
  }

  /** Reads all records; begins again after a crash. */
  async function runSink(period: HistoryPeriod, endMs: number): Promise<void> {
    const crashShare = random.chance(0.4) ? 0.02 : 0
    for (;;) {
      const router = createRouter()
      const isCrashed = await readAll(router, period, () => clock.now() < endMs && random.chance(crashShare))
      for (const name of ['older', 'reads', 'conflicts'] as const) counts[name] += router.newest!.counts[name]
      counts.superseded += router.lanes.reduce((sum, lane) => sum + lane.counts.superseded, 0)
      counts.twins += router.twins.counts.deleted + router.twins.counts.newer
      if (!isCrashed) return
      counts.crashes++
      router.close(new Error('crashed'))
    }
  }

  /** Reads each partition in its order, and returns to an earlier record now and then. */
  async function readAll(router: Router, { partitions }: HistoryPeriod, crashes: () => boolean): Promise<boolean> {
    const preparation = { keys: KEYS, definition: { paths: ['/pk'], version: 2 as const }, canExpire: true }
    const intake = createOperationIntake(router, { ...preparation, newest: settings }, createRejectionWatch('db/c'))
    const next = partitions.map(() => 0)
    const open = new Set<symbol>()
    let rewinds = random.below(3)
    for (;;) {
      const unread = [...partitions.keys()].filter((index) => next[index] < partitions[index].length)
      if (unread.length === 0) break
      const partition = random.pick(unread)
      const taken = partitions[partition].slice(
        next[partition],
        next[partition] + (course.isAtomic ? 1 + random.below(6) : 1)
      )
      submit(intake, taken, { partition, first: (offsets[partition] ?? 0) + next[partition] }, open)
      next[partition] += taken.length
      if (rewinds > 0 && random.chance(0.05)) {
        rewinds--
        next[partition] = random.below(next[partition])
      }
      if (random.chance(0.3)) await clock.sleep(random.next() * 20)
      if (crashes()) return true
    }
    while (open.size > 0) await clock.sleep(5)
    return false
  }

  function submit(
    intake: OperationIntake,
    changes: readonly EntityChange[],
    { partition, first }: { readonly partition: number; readonly first: number },
    open: Set<symbol>
  ): void {
    const { area } = changes[0]
    // a batch has one key
    const other = changes.findIndex((change) => change.area !== area)
    const batch = other < 0 ? changes : changes.slice(0, other)
    const token = Symbol('open')
    open.add(token)
    const operations = batch.map((change, index) => operationOf(change, course, { partition, offset: first + index }))
    counts.patches += batch.filter(({ kind }) => kind === 'patch').length
    if (batch.length > 1) counts.atomic++
    void write(intake, operations).then((outcomes) => {
      open.delete(token)
      return expectOutcomes(batch, outcomes)
    })
    if (other > 0) submit(intake, changes.slice(other), { partition, first: first + other }, open)
  }

  function createRouter(): Router {
    const isPoor = random.chance(0.3)
    return new Router({
      ranges: service.ranges,
      transport: service,
      clock,
      random: random.next,
      maxBytes: 1e9,
      retryForMs: 1e9,
      newest: settings,
      createBudget: () => (isPoor ? new LocalRuBudget(2000, clock.now()) : UNLIMITED),
      refreshRanges: service.refreshRanges,
      checkContainer: () => Promise.resolve(),
      renewSignatures: service.renewSignatures,
      refreshEndpoints: () => {},
      onStop: (error) => {
        throw error
      }
    })
  }

  /** Another program, which stores a change if it is newer, and writes documents again without changing them. */
  async function runForeign(changes: readonly EntityChange[]): Promise<void> {
    for (const change of changes) {
      await clock.sleep(random.next() * 60)
      counts.foreign++
      for (const { name, document } of documentsOf(change)) {
        const stored = service.store.get(name)?.document
        if (stored === undefined || numberOf(stored, course) < change.n) service.put(name, document)
      }
      expectNothingOlder()
    }
    for (let turn = random.below(10); turn > 0; turn--) {
      await clock.sleep(random.next() * 60)
      service.touch(() => random.chance(0.5))
    }
  }

  async function moveNowAndThen(endMs: number): Promise<void> {
    for (let moves = random.below(3); moves > 0; moves--) {
      await clock.sleep(random.next() * 200)
      if (clock.now() < endMs) await service.move()
    }
  }

  async function untilMarkersExpire(): Promise<void> {
    let isOver = false
    clock.schedule((MARKER_TTL + 1) * 1000, () => (isOver = true))
    await clock.runUntil(() => isOver, Number.POSITIVE_INFINITY)
    counts.expired += [...service.store.values()].filter(({ document }) => document[DELETED] === true).length
    service.expire()
    highest = new Map()
  }

  function expectOutcomes([{ n }]: readonly EntityChange[], outcomes: readonly (Outcome | Error)[]): void {
    for (const outcome of outcomes) {
      if (outcome instanceof Error) wrong.push(...(outcome.message.includes('crashed') ? [] : [outcome.message]))
      else if (outcome.kind !== 'written')
        wrong.push(`change ${n}: ${outcome.kind === 'rejected' ? outcome.code : outcome.kind}`)
    }
  }

  /** No change replaces a newer one. */
  function expectNothingOlder(): void {
    for (const [name, { document }] of service.store) {
      const n = numberOf(document, course)
      if (n < (highest.get(name) ?? 0)) wrong.push(`change ${n} of ${name} replaced a newer one`)
      highest.set(name, Math.max(n, highest.get(name) ?? 0))
    }
  }

  function expectWanted({ wanted }: HistoryPeriod): void {
    const live = [...service.store.values()].filter(({ document }) => document[DELETED] !== true)
    const stored = live.map(({ document: { id, area, n, sum } }) => ({
      entity: String(id),
      area: String(area),
      n: Number(n),
      sum: Number(sum)
    }))
    wrong.push(...judgeHistory(wanted, stored))
  }
}

const NOTHING: NewestRunCounts = {
  older: 0,
  reads: 0,
  conflicts: 0,
  superseded: 0,
  crashes: 0,
  appliedLate: 0,
  expired: 0,
  foreign: 0,
  twins: 0,
  patches: 0,
  atomic: 0
}

/** Writes one operation, or several as an atomic batch. Returns the outcomes, or the error that stopped the writer. */
async function write(intake: OperationIntake, operations: readonly Operation[]): Promise<readonly (Outcome | Error)[]> {
  if (operations.length === 1)
    return new Promise((resolve) => intake.submit(operations[0], (outcome) => resolve([outcome])))
  try {
    return await intake.writeAtomic(operations)
  } catch (error) {
    return [error as Error]
  }
}
