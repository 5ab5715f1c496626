import { createPlan, type Plan } from '@keystamp/core'
import { createRandom, VirtualClock } from '@keystamp/testkit'
import { PendingOperation } from '../../src/dispatch/pending-operation.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import { LocalRuBudget, UNLIMITED } from '../../src/budget/ru-budget.ts'
import { Router } from '../../src/dispatch/router.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { prepare, prepareGroup } from '../../src/writer/prepare.ts'
import { SimulatedService } from './simulated-service.ts'

/** One operation of a schedule, and the outcomes that its caller got. */
export interface Told {
  /** Position in the order of submission, which the written body contains. */
  readonly mark: number
  readonly operation: Operation
  readonly document: string
  readonly isAtomic: boolean
  readonly outcomes: (Outcome | Error)[]
}

export interface ScheduleResult {
  readonly told: readonly Told[]
  readonly service: SimulatedService
  /** True if every operation got an outcome before no event was left. */
  readonly isComplete: boolean
  readonly bytesLeft: number
  /** Events that did not change the state of their operation: the writer expected another state. */
  readonly ignoredEvents: readonly string[]
}

const plan = createPlan({ levels: [{ into: '/pk', from: [{ field: '/pk' }] }] }, { requireId: true }) as Plan
const preparation = { keys: plan, definition: { paths: ['/pk'], version: 2 as const }, canExpire: false }
const HORIZON_MS = 400

/** Writes operations into a service with many faults, which end after a while, and waits for all outcomes. */
export async function runSchedule(seed: number): Promise<ScheduleResult> {
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const service = new SimulatedService({
    clock,
    random,
    faultShare: random() * 0.6,
    rangeCount: 1 + Math.floor(random() * 4)
  })
  const isPoor = random() < 0.3
  const router = new Router({
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
  const told: Told[] = []
  const ignoredEvents: string[] = []
  let calm = false
  clock.schedule(HORIZON_MS, () => {
    service.faultShare = 0
    calm = true
  })
  void moveNowAndThen()
  const count = 20 + Math.floor(random() * 60)
  const documents = 1 + Math.floor(random() * 8)
  for (let mark = 1; mark <= count; mark++) {
    if (random() < 0.25) await clock.runUntil(() => false, clock.now() + random() * 20)
    if (random() < 0.1) submitAtomic(mark)
    else submitOne(mark)
  }
  const isComplete = await clock.runUntil(() => told.every(({ outcomes }) => outcomes.length > 0), 1e7)
  // a second outcome would be reported soon after
  await clock.runUntil(() => false, clock.now() + 1000)
  return { told, service, isComplete, bytesLeft: router.byteBudget!.bytes, ignoredEvents }

  async function moveNowAndThen(): Promise<void> {
    const moves = random() < 0.5 ? 0 : Math.floor(random() * 4)
    for (let move = 0; move < moves; move++) {
      await clock.sleep(random() * 120)
      if (!calm) await service.move()
    }
  }

  function submitOne(mark: number): void {
    const name = Math.floor(random() * documents)
    const entry = tellOf(mark, operationFor(name, mark), name, false)
    const prepared = prepare(preparation, entry.operation, (outcome) => entry.outcomes.push(outcome))
    if (!(prepared instanceof PendingOperation)) throw new Error(prepared.message)
    router.submit(watched(prepared))
  }

  // documents with one key: every second name has this key
  function submitAtomic(mark: number): void {
    const names = [0, 2, 4].filter((name) => name < documents && random() < 0.7)
    if (names.length === 0) return submitOne(mark)
    const entries = names.map((name) => tellOf(mark, { kind: 'upsert', record: recordOf(name, mark) }, name, true))
    const prepared = prepareGroup(
      preparation,
      entries.map(({ operation }) => operation),
      (outcomes) => entries.forEach((entry, index) => entry.outcomes.push(outcomes[index])),
      (error) => entries.forEach((entry) => entry.outcomes.push(error))
    )
    if (!(prepared instanceof PendingOperation)) throw new Error(prepared.reason.message)
    router.submitGroup(watched(prepared))
  }

  function watched(operation: PendingOperation): PendingOperation {
    const on = operation.on.bind(operation)
    operation.on = (event) => {
      const before = operation.state
      on(event)
      if (operation.state === before) ignoredEvents.push(`${event} in ${before}`)
    }
    return operation
  }

  function tellOf(mark: number, operation: Operation, name: number, isAtomic: boolean): Told {
    const entry: Told = { mark, operation, document: `["${keyOf(name)}"]d${name}`, isAtomic, outcomes: [] }
    told.push(entry)
    return entry
  }

  function operationFor(name: number, mark: number): Operation {
    const kind = random()
    const place = { key: keyOf(name), id: `d${name}` }
    if (kind < 0.6)
      return { kind: 'upsert', record: { ...recordOf(name, mark), ...(random() < 0.1 ? { bad: true } : {}) } }
    if (kind < 0.7) return { kind: 'create', record: recordOf(name, mark) }
    if (kind < 0.8)
      return { kind: 'replace', record: recordOf(name, mark), ...(random() < 0.3 ? { ifMatch: '"1"' } : {}) }
    if (kind < 0.9) return { kind: 'delete', ...place }
    return { kind: 'patch', ...place, steps: [{ op: 'incr', path: '/sum', value: mark }] }
  }
}

function keyOf(name: number): string {
  return name % 2 === 0 ? 'even' : `k${name}`
}

function recordOf(name: number, mark: number): object {
  return { id: `d${name}`, pk: keyOf(name), mark }
}
