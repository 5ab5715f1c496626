import { createPlan, type Plan } from '@keystamp/core'
import { createRandom, VirtualClock } from '@keystamp/testkit'
import { LocalRuBudget, UNLIMITED } from '../../src/budget/ru-budget.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import { Router } from '../../src/dispatch/router.ts'
import { resolveNewest } from '../../src/writer/newest-options.ts'
import { DELETED, readPosition } from '../../src/newest/position.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { createOperationIntake } from '../../src/writer/operation-intake.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import { SimulatedService } from './simulated-service.ts'

/** A change of a document, as a record of a topic partition. */
interface Change {
  readonly id: string
  readonly version: number
  readonly isDelete: boolean
  readonly partition: number
  readonly offset: number
}

export interface NewestRun {
  /** Violations, one sentence each. */
  readonly wrong: readonly string[]
  readonly older: number
  readonly reads: number
  readonly conflicts: number
  readonly superseded: number
  readonly crashes: number
  /** Requests that were applied after their answer was lost. */
  readonly appliedLate: number
}

const KEYS = createPlan({ into: '/pk', from: [{ field: '/id' }] }, { requireId: true }) as Plan
const HORIZON_MS = 800
const FIELD = ['version']

/**
 * Several writers store the changes of a few documents: in any order, several times, from the beginning again after a
 * crash. Requests are lost, and applied late. Another program that follows the same rule writes, too.
 */
export async function runNewest(seed: number): Promise<NewestRun> {
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const wrong: string[] = []
  const highest = new Map<string, number>()
  const counts = { older: 0, reads: 0, conflicts: 0, superseded: 0, crashes: 0, appliedLate: 0 }
  const service = new SimulatedService({
    clock,
    random,
    faultShare: random() * 0.4,
    rangeCount: 1 + Math.floor(random() * 3),
    staleReads: true,
    lateMs: 1500,
    onApplied: expectNothingOlder
  })
  const settings = resolveNewest({ field: '/version', markerTtl: 3600, maxKnown: random() < 0.3 ? 0 : 8 })
  const changes = changesOf(random)
  clock.schedule(HORIZON_MS, () => {
    service.faultShare = 0
  })
  void moveNowAndThen()
  const writers = 1 + Math.floor(random() * 3)
  await runAll([...Array.from({ length: writers }, () => runWriter()), ...(random() < 0.5 ? [runForeign()] : [])])
  expectNewest()
  return { wrong, ...counts }

  /** Drives the clock until all of these have ended, and all late requests are applied. */
  async function runAll(all: readonly Promise<void>[]): Promise<void> {
    let isOver = false
    void Promise.all(all).then(() => (isOver = true))
    await clock.runUntil(() => isOver, Number.POSITIVE_INFINITY)
    counts.appliedLate = service.late
    await clock.runUntil(() => service.late === 0, Number.POSITIVE_INFINITY)
  }

  /** Writes all changes, in an order of its own; begins again after a crash. */
  async function runWriter(): Promise<void> {
    const willCrash = random() < 0.4
    for (;;) {
      const router = createRouter()
      const isCrashed = await writeAll(router, willCrash && clock.now() < HORIZON_MS)
      const { newest } = router
      for (const name of ['older', 'reads', 'conflicts'] as const) counts[name] += newest!.counts[name]
      counts.superseded += router.lanes.reduce((sum, lane) => sum + lane.counts.superseded, 0)
      if (!isCrashed) return
      counts.crashes++
      router.close(new Error('crashed'))
    }
  }

  async function writeAll(router: Router, mayCrash: boolean): Promise<boolean> {
    const preparation = {
      keys: KEYS,
      definition: { paths: ['/pk'], version: 2 as const },
      canExpire: true,
      newest: settings
    }
    const intake = createOperationIntake(router, preparation, createRejectionWatch('db/c'))
    const order = deliveriesOf(changes, random)
    const open = new Set<symbol>()
    for (const change of order) {
      const token = Symbol('open')
      open.add(token)
      intake.submit(operationOf(change), (outcome) => {
        open.delete(token)
        if (router.stoppedBy === undefined) expectWritten(change, outcome)
      })
      if (random() < 0.3) await clock.sleep(random() * 20)
      if (mayCrash && random() < 0.02) return true
    }
    while (open.size > 0) await clock.sleep(5)
    return false
  }

  function createRouter(): Router {
    const isPoor = random() < 0.3
    return new Router({
      ranges: service.ranges,
      transport: service,
      clock,
      random,
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

  /** A program that stores a newer version now and then: it reads, and replaces with the ETag. */
  async function runForeign(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) {
      await clock.sleep(random() * 60)
      service.touch((document) =>
        changes.some(({ id, version }) => id === document['id'] && version > Number(document['version']))
      )
    }
  }

  async function moveNowAndThen(): Promise<void> {
    for (let moves = Math.floor(random() * 3); moves > 0; moves--) {
      await clock.sleep(random() * 200)
      if (clock.now() < HORIZON_MS) await service.move()
    }
  }

  function expectWritten({ id, version }: Change, outcome: Outcome | Error): void {
    if (outcome instanceof Error || outcome.kind !== 'written')
      wrong.push(`version ${version} of ${id}: ${outcome instanceof Error ? outcome.message : outcome.kind}`)
  }

  /** No change replaces a newer one. */
  function expectNothingOlder(): void {
    for (const [name, { document }] of service.store) {
      const version = Number(readPosition(document, { field: FIELD }).value)
      if (version < (highest.get(name) ?? 0)) wrong.push(`version ${version} of ${name} replaced a newer one`)
      highest.set(name, Math.max(version, highest.get(name) ?? 0))
    }
  }

  function expectNewest(): void {
    for (const document of service.collisions)
      if (writers === 1 && counts.crashes === 0) wrong.push(`${document} was in flight twice`)
    const last = new Map<string, Change>()
    for (const change of changes) if (change.version > (last.get(change.id)?.version ?? 0)) last.set(change.id, change)
    const expected = [...last.values()].map(({ id, version, isDelete }) => `${id} ${version} ${isDelete}`).toSorted()
    const stored = [...service.store.values()]
      .map(
        ({ document }) =>
          `${String(document['id'])} ${String(readPosition(document, { field: FIELD }).value)} ${document[DELETED] === true}`
      )
      .toSorted()
    if (stored.join() !== expected.join()) wrong.push(`stored: ${stored.join()}; expected: ${expected.join()}`)
  }
}

function operationOf({ id, version, isDelete, partition, offset }: Change): Operation {
  const place = { topic: 't', partition, offset }
  if (isDelete) return { kind: 'delete', id, key: id, position: { value: version, place } }
  return { kind: 'upsert', record: { id, version, mark: version }, position: { place } }
}

function changesOf(random: () => number): readonly Change[] {
  const documents = 1 + Math.floor(random() * 5)
  const versions = new Map<string, number>()
  return Array.from({ length: 10 + Math.floor(random() * 50) }, (_, offset) => {
    const id = `d${Math.floor(random() * documents)}`
    const version = (versions.get(id) ?? 0) + 1
    versions.set(id, version)
    return { id, version, isDelete: random() < 0.2, partition: Math.floor(random() * 3), offset }
  })
}

/** The changes in an order with repetitions, replays from the beginning and changes that are late. */
function deliveriesOf(changes: readonly Change[], random: () => number): readonly Change[] {
  const late = random() * 10
  const again = random() < 0.3 ? changes.slice(0, Math.floor(random() * changes.length)) : []
  const repeated = changes.flatMap((change) => (random() < 0.1 ? [change, change] : [change]))
  const ordered = repeated
    .map((change, index) => ({ change, at: index + random() * late }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ change }) => change)
  return [...ordered, ...again]
}
