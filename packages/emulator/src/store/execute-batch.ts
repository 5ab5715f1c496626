import { applyDecision } from './apply-decision.ts'
import type { Container } from './container.ts'
import { decide } from './decide.ts'
import { type Engine, logWrite, movingOutcome, type OperationRequest, throttledOutcome, toOutcome } from './execute.ts'
import type { Decision, ItemOperation, Outcome } from './item-operation.ts'
import { CurrentView, StagedView } from './item-view.ts'
import type { PartitionKey } from './partition-key.ts'
import { StoredItem } from './stored-item.ts'
import { uniqueValuesOf } from './unique-values.ts'

/** Runs the operations of an atomic batch: all are applied in one step, or none. */
export function executeBatch(
  engine: Engine,
  container: Container,
  key: PartitionKey,
  operations: readonly ItemOperation[],
  request: OperationRequest
): Outcome[] {
  const nowMs = engine.now()
  const partition = container.partition(key)
  const { range } = partition
  if (range.phase !== 'online') return failAll(operations, 0, movingOutcome(range))
  const view = new StagedView(new CurrentView(container, nowMs))
  const { meets, maxLogicalPartitionBytes } = engine
  const decisions: Decision[] = []
  for (const operation of operations) {
    const decision = decide(operation, partition, { container, view, nowMs, meets, maxLogicalPartitionBytes })
    if (decision.status >= 400) return failAll(operations, decisions.length, toOutcome(decision))
    view.stage(decision, uniqueValuesOf(container, partition, view.find(partition, decision.formerId ?? decision.id)))
    decisions.push(decision)
  }
  const chargeRu = decisions.reduce((sum, decision) => sum + decision.chargeRu, 0)
  const throttled = engine.meter.pay(range, nowMs, chargeRu, request.traits)
  if (throttled !== undefined) return failAll(operations, 0, throttledOutcome(throttled.subStatus, throttled.retryAfterMs))
  partition.chargedRu += chargeRu
  // a read answers with the state at its turn: later operations of the batch may change or delete what it found
  const outcomes = decisions.map(toLastingOutcome)
  const lsn = range.lsn + 1
  for (const decision of decisions) {
    if (decision.effect === 'none') continue
    applyDecision(container, decision, lsn)
    logWrite(engine, container, decision, request.activityId, nowMs)
  }
  return outcomes
}

function toLastingOutcome(decision: Decision): Outcome {
  const outcome = toOutcome(decision)
  return outcome.item instanceof StoredItem ? { ...outcome, item: outcome.item.snapshot() } : outcome
}

function failAll(operations: readonly ItemOperation[], culprit: number, outcome: Outcome): Outcome[] {
  return operations.map((_, index) => (index === culprit ? outcome : DEPENDENT))
}

const DEPENDENT: Outcome = {
  status: 424,
  subStatus: 0,
  message: 'The operation was not applied because another one of its batch failed.',
  chargeRu: 0,
  item: undefined,
  retryAfterMs: undefined
}
