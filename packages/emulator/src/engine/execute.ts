import type { Meter, RequestTraits } from '../charge/meter.ts'
import { THROTTLED_RU } from '../charge/operation-charge.ts'
import type { PartitionKey } from '../partition/partition-key.ts'
import type { Container } from '../store/container.ts'
import { StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Storage } from '../store/storage.ts'
import { applyDecision, expireRetained } from './apply-decision.ts'
import { type ConditionCheck, decide } from './decide.ts'
import type { Decision, ItemOperation, Outcome } from './item-operation.ts'
import { CurrentView, StagedView, uniqueValuesOf } from './item-view.ts'
import type { OperationLog } from './operation-log.ts'

/** Dependencies of operations. */
export interface Engine {
  readonly meter: Meter
  readonly log: OperationLog
  readonly meets: ConditionCheck
  readonly now: () => number
  readonly storage: Storage
  /** Called for a range that has grown beyond the size at which it is split. */
  readonly followGrowth: (container: Container, range: PhysicalRange) => void
}

/** The request of which an operation is a part. */
export interface OperationRequest {
  readonly traits: RequestTraits
  readonly activityId: string
  /** The range that the request names; undefined when it names none. */
  readonly range: PhysicalRange | undefined
  /** Number of replicas that a read charges. */
  readonly readFactor: 1 | 2
  /** The LSN of a bulk request, whose changes share it; undefined for other requests. */
  readonly bulkLsn?: BulkLsn
}

/** The LSN that the first change of a bulk request took; -1 before that. */
export interface BulkLsn {
  lsn: number
}

/** Runs one operation: decide, pay, apply. */
export function execute(
  engine: Engine,
  container: Container,
  operation: ItemOperation,
  request: OperationRequest
): Outcome {
  const nowMs = engine.now()
  if (container.retained !== undefined) expireRetained(container, nowMs)
  const partition = container.partition(operation.key)
  const { range } = partition
  if (range.phase !== 'online') return movingOutcome(range)
  if (request.range !== undefined && request.range !== range) return wrongRangeOutcome(range)
  const view = new CurrentView(container, nowMs)
  const { meets } = engine
  const { maxLogicalPartitionBytes } = engine.storage
  const lsn = lsnOf(request, range)
  const decided = decide(byId(operation, partition), partition, {
    container,
    view,
    nowMs,
    lsn,
    meets,
    maxLogicalPartitionBytes
  })
  const decision =
    decided.type === 'Read' && request.readFactor === 2 ? { ...decided, chargeRu: decided.chargeRu * 2 } : decided
  const throttled = engine.meter.pay(range, nowMs, decision.chargeRu, request.traits)
  if (throttled !== undefined) return throttledOutcome(throttled.subStatus, throttled.retryAfterMs)
  partition.chargedRu += decision.chargeRu
  if (decision.effect !== 'none') {
    applyDecision(container, decision, lsn, nowMs)
    if (request.bulkLsn !== undefined) request.bulkLsn.lsn = lsn
    logWrite(engine, container, decision, request.activityId, nowMs)
    if (range.bytes > engine.storage.splitAtBytes) engine.followGrowth(container, range)
  }
  return toOutcome(decision)
}

// an item that expires during a bulk request takes an LSN, and so the rest of the request takes a new one
function lsnOf({ bulkLsn }: OperationRequest, range: PhysicalRange): number {
  return bulkLsn?.lsn === range.lsn ? range.lsn : range.lsn + 1
}

function byId(operation: ItemOperation, partition: LogicalPartition): ItemOperation {
  const { ordinal } = operation
  return ordinal === undefined ? operation : { ...operation, id: partition.byOrdinal(ordinal)?.id }
}

/** Logs an applied write. */
function logWrite(engine: Engine, container: Container, decision: Decision, activityId: string, nowMs: number): void {
  if (!engine.log.isOn) return
  const { item, partition } = decision
  engine.log.append({
    sequence: 0,
    container,
    keyText: partition.keyText,
    id: decision.id,
    operation: decision.type,
    range: partition.range.id,
    lsn: partition.range.lsn,
    version: item?.version ?? 0,
    timestamp: item?.timestamp ?? 0,
    activityId,
    atMs: nowMs
  })
}

/** The outcome of an applied decision. */
function toOutcome(decision: Decision): Outcome {
  const { status, subStatus, message, chargeRu, item } = decision
  return { status, subStatus, message, chargeRu, item, retryAfterMs: undefined }
}

/** The outcome of an operation beyond the budget of its range. */
function throttledOutcome(subStatus: number, retryAfterMs: number): Outcome {
  return { ...REFUSED, status: 429, subStatus, message: THROTTLED_MESSAGE, chargeRu: THROTTLED_RU, retryAfterMs }
}

/** The outcome of an operation on a range that is being split or merged. */
function movingOutcome(range: PhysicalRange): Outcome {
  const message = `PartitionKeyRange with id '${range.id}' is ${range.phase}: refresh the ranges after a moment and retry.`
  return { ...REFUSED, status: 410, subStatus: 1007, message, chargeRu: 0 }
}

function wrongRangeOutcome(owner: PhysicalRange): Outcome {
  const message = `The partition key of the operation belongs to range '${owner.id}', not to the range that the request names.`
  return { ...REFUSED, status: 400, subStatus: 1001, message, chargeRu: 0 }
}

const REFUSED = { item: undefined, retryAfterMs: undefined }
/** Message of a 429. */
export const THROTTLED_MESSAGE =
  'Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later.'

/** Runs the operations of an atomic batch: all are applied in one step, or none. */
export function executeBatch(
  engine: Engine,
  container: Container,
  key: PartitionKey,
  operations: readonly ItemOperation[],
  request: OperationRequest
): Outcome[] {
  const nowMs = engine.now()
  if (container.retained !== undefined) expireRetained(container, nowMs)
  const partition = container.partition(key)
  const { range } = partition
  if (range.phase !== 'online') return failAll(operations, 0, movingOutcome(range))
  const view = new StagedView(new CurrentView(container, nowMs))
  const { meets } = engine
  const { maxLogicalPartitionBytes } = engine.storage
  const lsn = range.lsn + 1
  const decisions: Decision[] = []
  for (const operation of operations) {
    const decision = decide(operation, partition, { container, view, nowMs, lsn, meets, maxLogicalPartitionBytes })
    if (decision.status >= 400) return failAll(operations, decisions.length, toOutcome(decision))
    view.stage(decision, uniqueValuesOf(container, partition, view.find(partition, decision.formerId ?? decision.id)))
    decisions.push(decision)
  }
  const chargeRu = decisions.reduce((sum, decision) => sum + decision.chargeRu, 0)
  const throttled = engine.meter.pay(range, nowMs, chargeRu, request.traits)
  if (throttled !== undefined)
    return failAll(operations, 0, throttledOutcome(throttled.subStatus, throttled.retryAfterMs))
  partition.chargedRu += chargeRu
  // a read returns the state after the operations before it; later operations of the batch may change or delete its
  // item
  const outcomes = decisions.map(toLastingOutcome)
  for (const decision of decisions) {
    if (decision.effect === 'none') continue
    applyDecision(container, decision, lsn, nowMs)
    logWrite(engine, container, decision, request.activityId, nowMs)
  }
  if (range.bytes > engine.storage.splitAtBytes) engine.followGrowth(container, range)
  return outcomes
}

function toLastingOutcome(decision: Decision): Outcome {
  const outcome = toOutcome(decision)
  return outcome.item instanceof StoredItem ? { ...outcome, item: outcome.item.snapshot() } : outcome
}

function failAll(operations: readonly ItemOperation[], failedIndex: number, outcome: Outcome): Outcome[] {
  return operations.map((_, index) => (index === failedIndex ? outcome : DEPENDENT))
}

const DEPENDENT: Outcome = {
  status: 424,
  subStatus: 0,
  message: 'The operation was not applied because another one of its batch failed.',
  chargeRu: 0,
  item: undefined,
  retryAfterMs: undefined
}
