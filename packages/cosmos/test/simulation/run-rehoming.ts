import { createPlan, type Plan } from '@keystamp/core'
import { createRandom, VirtualClock } from '@keystamp/testkit'
import { LocalRuBudget, UNLIMITED } from '../../src/budget/ru-budget.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import { Router } from '../../src/dispatch/router.ts'
import { createOperationIntake } from '../../src/writer/operation-intake.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import { SimulatedService } from './simulated-service.ts'

/** Version of an entity, as a record of a topic partition. */
interface Version {
  readonly entity: string
  readonly key: string
  /** Key of the version before; undefined for the first version. */
  readonly before: string | undefined
  readonly mark: number
}

export interface RehomingResult {
  /** Violations, one sentence each. */
  readonly wrong: readonly string[]
  readonly crashes: number
  readonly twinsDeleted: number
  readonly superseded: number
}

const plan = createPlan({ into: '/pk', from: [{ field: '/area' }] }, { requireId: true }) as Plan
const preparation = { keys: plan, definition: { paths: ['/pk'], version: 2 as const }, canExpire: false }
const HORIZON_MS = 600

/**
 * Writes the versions of a few entities, which often change their key, in order. The writer crashes at random moments.
 * The next one begins at the committed record, after the requests of the former one have ended.
 */
export async function runRehoming(seed: number): Promise<RehomingResult> {
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const wrong: string[] = []
  const seen = new Set<string>()
  const service = new SimulatedService({
    clock,
    random,
    faultShare: random() * 0.5,
    rangeCount: 1 + Math.floor(random() * 4),
    onApplied: expectEveryEntity
  })
  const versions = versionsOf(random)
  const crashShare = random() < 0.3 ? 0 : 0.04
  let committed = 0
  let crashes = 0
  let twinsDeleted = 0
  let superseded = 0
  clock.schedule(HORIZON_MS, () => {
    service.faultShare = 0
  })
  void moveNowAndThen()
  while (committed < versions.length) await runUntilCrash()
  expectOneDocumentEach()
  return { wrong, crashes, twinsDeleted, superseded }

  async function runUntilCrash(): Promise<void> {
    const router = createRouter()
    const intake = createOperationIntake(router, preparation, createRejectionWatch('db/c'))
    const settled = new Set<number>()
    const first = committed
    let isCrashed = false
    let next = first
    let calls = 0
    while (next < versions.length && !isCrashed) {
      for (let count = 1 + Math.floor(random() * 6); count > 0 && next < versions.length; count--) submit(next++)
      await pass()
    }
    while (settled.size < versions.length - first && !isCrashed && calls++ < 10_000) await pass()
    if (calls >= 10_000) throw new Error(`Seed ${seed}: records have no outcome.`)
    twinsDeleted += router.twins.counts.deleted
    superseded += router.lanes.reduce((sum, { counts }) => sum + counts.superseded, 0)
    if (!isCrashed) return void (committed = versions.length)
    crashes++
    router.close(new Error('crashed'))
    // the handover period: requests of the crashed writer end
    await wait(100)

    async function pass(): Promise<void> {
      await wait(random() * 15)
      if (random() < 0.2) commit()
      isCrashed = clock.now() < HORIZON_MS && random() < crashShare
    }

    function commit(): void {
      while (settled.has(committed)) committed++
    }

    function submit(offset: number): void {
      const { entity, key, before, mark } = versions[offset]
      const record = { id: entity, area: key, mark }
      intake.submit({ kind: 'upsert', record, ...beforeOf(entity, before) }, (outcome) => {
        if (isCrashed || router.stoppedBy !== undefined) return
        if (settled.has(offset)) wrong.push(`record ${offset} was told two outcomes`)
        if (outcome instanceof Error || outcome.kind !== 'written') wrong.push(`record ${offset}: ${textOf(outcome)}`)
        settled.add(offset)
      })
    }
  }

  async function wait(ms: number): Promise<void> {
    let isOver = false
    clock.schedule(ms, () => {
      isOver = true
    })
    await clock.runUntil(() => isOver, Number.POSITIVE_INFINITY)
  }

  // half of the images are whole documents, the others are names
  function beforeOf(entity: string, before: string | undefined): object {
    if (before === undefined) return {}
    return random() < 0.5
      ? { before: { record: { id: entity, area: before } } }
      : { before: { id: entity, key: before } }
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

  async function moveNowAndThen(): Promise<void> {
    for (let moves = Math.floor(random() * 4); moves > 0; moves--) {
      await clock.sleep(random() * 150)
      if (clock.now() < HORIZON_MS) await service.move()
    }
  }

  /** Reads all documents after each change: none of the entities that were stored may be gone. */
  function expectEveryEntity(): void {
    const stored = new Set([...service.store.values()].map(({ document }) => String(document['id'])))
    for (const entity of seen) if (!stored.has(entity)) wrong.push(`${entity} has no document`)
    for (const entity of stored) seen.add(entity)
  }

  function expectOneDocumentEach(): void {
    for (const document of service.collisions) wrong.push(`${document} was in flight twice`)
    const last = new Map(versions.map((version) => [version.entity, version]))
    const expected = [...last.values()].map(({ entity, key, mark }) => `["${key}"]${entity} ${mark}`).toSorted()
    const stored = [...service.store].map(([name, { document }]) => `${name} ${String(document['mark'])}`).toSorted()
    if (stored.join() !== expected.join()) wrong.push(`stored: ${stored.join()}, expected: ${expected.join()}`)
  }
}

function textOf(outcome: Outcome | Error): string {
  if (outcome instanceof Error) return outcome.message
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}

function versionsOf(random: () => number): readonly Version[] {
  const entities = 1 + Math.floor(random() * 4)
  const keys = 2 + Math.floor(random() * 2)
  const stayShare = random() * 0.6
  const current = new Map<string, string>()
  return Array.from({ length: 10 + Math.floor(random() * 60) }, (_, mark) => {
    const entity = `e${Math.floor(random() * entities)}`
    const before = current.get(entity)
    const key = before !== undefined && random() < stayShare ? before : `k${Math.floor(random() * keys)}`
    current.set(entity, key)
    return { entity, key, before, mark }
  })
}
