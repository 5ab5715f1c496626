import { createPlan, type Plan } from '@keystamp/core'
import { createRandom, judgeApplied, judgeStored, VirtualClock } from '@keystamp/testkit'
import { PendingOperation } from '../../src/dispatch/pending-operation.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import { LocalRuBudget, type RuBudget } from '../../src/budget/ru-budget.ts'
import { Router } from '../../src/dispatch/router.ts'
import type { Request, Transport } from '../../src/client/transport.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { prepare, prepareGroup } from '../../src/writer/prepare.ts'
import { SimulatedService } from './simulated-service.ts'

interface Told {
  /** Position in the order of submission, which the body contains. */
  readonly mark: number
  readonly operation: Operation
  readonly name: number
  readonly fence: { readonly isLost: boolean }
  readonly outcomes: (Outcome | Error)[]
}

/** The violations of one schedule, one sentence each, and the number of withheld requests. */
export interface MovingResult {
  readonly wrong: readonly string[]
  readonly withheld: number
}

const BUDGET = 2000
const HORIZON_MS = 600
const plan = createPlan({ levels: [{ into: '/pk', from: [{ field: '/pk' }] }] }, { requireId: true }) as Plan
const preparation = { keys: plan, definition: { paths: ['/pk'], version: 2 as const }, canExpire: false }

/**
 * Writes over slow connections while partitions move: the group rebalances while requests wait for a token, an address,
 * TCP and TLS.
 */
export async function runMoving(seed: number): Promise<MovingResult> {
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const service = new SimulatedService({
    clock,
    random,
    faultShare: random() * 0.3,
    rangeCount: 1 + Math.floor(random() * 3)
  })
  const partitions = 1 + Math.floor(random() * 4)
  const fences = Array.from({ length: partitions }, () => ({ isLost: false }))
  const isPoor = random() < 0.5
  const wrong: string[] = []
  const told: Told[] = []
  const budgets: RecordingBudget[] = []
  let isRebalancing = false
  let withheld = 0
  let sentRu = 0
  const transport: Transport = { send, close: () => {} }
  const router = new Router({
    ranges: service.ranges,
    transport,
    clock,
    random,
    maxBytes: 1e9,
    retryForMs: 1e9,
    createBudget: () => {
      const budget = new RecordingBudget(isPoor ? BUDGET : 1e9, clock.now(), wrong)
      budgets.push(budget)
      return budget
    },
    refreshRanges: service.refreshRanges,
    checkContainer: () => Promise.resolve(),
    renewSignatures: service.renewSignatures,
    refreshEndpoints: () => {},
    maySend: () => !isRebalancing,
    onBatch: ({ expectedRu }) => {
      sentRu += expectedRu
    },
    onStop: (error) => {
      throw error
    }
  })
  clock.schedule(HORIZON_MS, () => {
    service.faultShare = 0
  })
  void rebalanceNowAndThen()
  if (random() < 0.3) void clock.sleep(random() * 200).then(() => service.move())
  const documents = 1 + Math.floor(random() * 10)
  const count = 30 + Math.floor(random() * 90)
  for (let mark = 1; mark <= count; mark++) {
    if (random() < 0.25) await clock.runUntil(() => false, clock.now() + random() * 30)
    submit(mark)
  }
  const isComplete = await clock.runUntil(() => told.every(({ outcomes }) => outcomes.length > 0), 1e7)
  await clock.runUntil(() => false, clock.now() + 2000)
  judge()
  return { wrong, withheld }

  async function send(request: Request): ReturnType<Transport['send']> {
    for (const _ of ['token', 'address', 'connect', 'TLS']) {
      await (random() < 0.4 ? Promise.resolve() : clock.sleep(random() * (random() < 0.05 ? 1500 : 30)))
    }
    if (!request.maySend()) {
      withheld++
      return { kind: 'withheld' }
    }
    if (isRebalancing) wrong.push(`L5: a request left during a rebalance, at ${clock.now()} ms`)
    for (const mark of marksIn(request)) {
      if (told[mark - 1].fence.isLost)
        wrong.push(`L5: ${mark} left after its partition had moved, at ${clock.now()} ms`)
    }
    return service.send(request)
  }

  async function rebalanceNowAndThen(): Promise<void> {
    while (clock.now() < HORIZON_MS) {
      await clock.sleep(10 + random() * 80)
      isRebalancing = true
      await clock.sleep(random() * 20)
      for (const [partition, fence] of fences.entries()) {
        if (random() < 0.5) continue
        fence.isLost = true
        // the partition is assigned again later; operations from before stay fenced
        fences[partition] = { isLost: false }
      }
      isRebalancing = false
    }
  }

  function submit(mark: number): void {
    const name = Math.floor(random() * documents)
    const partition = name % partitions
    const operation = operationFor(name, mark)
    const entry: Told = { mark, operation, name, fence: fences[partition], outcomes: [] }
    told.push(entry)
    const prepared =
      random() < 0.15 && operation.kind === 'upsert'
        ? prepareGroup(
            preparation,
            [operation],
            ([outcome]) => entry.outcomes.push(outcome),
            (error) => entry.outcomes.push(error)
          )
        : prepare(preparation, operation, (outcome) => entry.outcomes.push(outcome))
    if (!(prepared instanceof PendingOperation)) throw new Error('A schedule has valid operations only.')
    prepared.fence = entry.fence
    if (prepared.group === undefined) router.submit(prepared)
    else router.submitGroup(prepared)
  }

  function operationFor(name: number, mark: number): Operation {
    const kind = random()
    const record = { id: `d${name}`, pk: keyOf(name), mark }
    if (kind < 0.7) return { kind: 'upsert', record }
    if (kind < 0.8) return { kind: 'create', record }
    if (kind < 0.9) return { kind: 'replace', record }
    return { kind: 'patch', key: keyOf(name), id: `d${name}`, steps: [{ op: 'incr', path: '/sum', value: mark }] }
  }

  function judge(): void {
    if (!isComplete)
      wrong.push(`L2: ${told.filter(({ outcomes }) => outcomes.length === 0).length} operations have no outcome`)
    const bytesLeft = router.byteBudget!.bytes
    if (bytesLeft !== 0) wrong.push(`${bytesLeft} bytes are left`)
    for (const { inFlight } of router.lanes) if (inFlight !== 0) wrong.push(`${inFlight} slots are left`)
    for (const document of service.collisions) wrong.push(`L4: ${document} was in flight twice`)
    for (const { mark, outcomes, fence } of told) {
      if (outcomes.length > 1) wrong.push(`L2: ${mark} was told ${outcomes.length} outcomes`)
      const [outcome] = outcomes
      if (outcome instanceof Error && !(fence.isLost && 'code' in outcome && outcome.code === 'WRITE_FENCED'))
        wrong.push(`${mark}: ${outcome.message}`)
    }
    const keptRu = budgets.reduce((sum, budget) => sum + budget.paidRu, 0)
    if (Math.abs(keptRu - sentRu) > 1e-6) wrong.push(`L7: ${keptRu} RU are reserved for requests of ${sentRu} RU`)
    for (let name = 0; name < documents; name++) {
      const document = `["${keyOf(name)}"]d${name}`
      const marks = service.applied.filter((one) => one.document === document && one.mark >= 0).map(({ mark }) => mark)
      wrong.push(...judgeApplied(document, marks).map((sentence) => `L4: ${sentence}`))
      if (isComplete) judgeDocument(name, document, marks)
    }
  }

  function judgeDocument(name: number, document: string, marks: readonly number[]): void {
    const writes = told
      .filter((entry) => entry.name === name)
      .map(({ mark, operation: { kind }, outcomes: [outcome] }) => ({
        mark,
        kind,
        reported: nameOf(outcome, marks.includes(mark))
      }))
    const stored = service.store.get(document)?.document
    wrong.push(
      ...judgeStored(document, writes, stored && { mark: Number(stored['mark']), sum: Number(stored['sum'] ?? 0) })
    )
  }
}

function nameOf(outcome: Outcome | Error, isApplied: boolean): 'applied' | 'superseded' | 'refused' | 'unknown' {
  // fenced after an attempt whose response was lost, so it may have been applied
  if (outcome instanceof Error) return isApplied ? 'unknown' : 'superseded'
  if (outcome.kind === 'rejected' && outcome.code === 'OUTCOME_UNKNOWN') return 'unknown'
  if (outcome.kind !== 'written') return 'refused'
  return outcome.isSuperseded ? 'superseded' : 'applied'
}

function marksIn({ body }: Request): readonly number[] {
  const operations = JSON.parse(Buffer.from(body).toString()) as readonly {
    readonly resourceBody?: { readonly mark?: number; readonly operations?: readonly { readonly value: number }[] }
  }[]
  return operations.flatMap(({ resourceBody }) => resourceBody?.mark ?? resourceBody?.operations?.[0].value ?? [])
}

function keyOf(name: number): string {
  return `k${name}`
}

/** Records the payments of a budget: without refunds, no sliding second may have more than the budget. */
class RecordingBudget implements RuBudget {
  readonly #budget: LocalRuBudget
  readonly #ruPerSecond: number
  readonly #wrong: string[]
  readonly #payments: { readonly atMs: number; readonly paidRu: number; ru: number; isReturned: boolean }[] = []
  /** RU that were paid and not refunded. */
  paidRu = 0

  constructor(ruPerSecond: number, nowMs: number, wrong: string[]) {
    this.#budget = new LocalRuBudget(ruPerSecond, nowMs)
    this.#ruPerSecond = ruPerSecond
    this.#wrong = wrong
  }

  get batchRu(): number {
    return this.#budget.batchRu
  }

  waitMs = (nowMs: number, costRu: number): number => this.#budget.waitMs(nowMs, costRu)
  partRu = (nowMs: number, costRu: number): number => this.#budget.partRu(nowMs, costRu)

  pay = (nowMs: number, ru: number): void => {
    this.#budget.pay(nowMs, ru)
    this.#payments.push({ atMs: nowMs, paidRu: ru, ru, isReturned: false })
    this.paidRu += ru
    const inSecond = this.#payments.reduce((sum, payment) => (payment.atMs > nowMs - 1000 ? sum + payment.ru : sum), 0)
    if (inSecond > this.#ruPerSecond + 1e-6 + this.batchRu)
      this.#wrong.push(`L7: ${inSecond} RU in the second before ${nowMs} ms`)
  }

  correct = (nowMs: number, ru: number): void => {
    this.#budget.correct(nowMs, ru)
    const last = this.#payments.at(-1)
    if (last !== undefined && last.atMs > nowMs - 1000) last.ru -= ru
  }

  refund = (paidMs: number, nowMs: number, ru: number): void => {
    this.#budget.refund(paidMs, nowMs, ru)
    const payment = this.#payments.find(
      ({ atMs, paidRu, isReturned }) => atMs === paidMs && paidRu === ru && !isReturned
    )
    if (payment === undefined) this.#wrong.push(`L7: ${ru} RU were returned that were not paid at ${paidMs} ms`)
    else {
      payment.isReturned = true
      payment.ru = Math.max(0, payment.ru - ru)
    }
    this.paidRu -= ru
  }
}
