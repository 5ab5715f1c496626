import { changedTerms } from '../charge/index-policy.ts'
import { createCharge, LOOKUP_RU, patchCharge, pointReadCharge, replaceCharge } from '../charge/operation-charge.ts'
import type { Container } from '../store/container.ts'
import type { ItemState, StagedItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { Decision, ItemOperation, Refusal } from './item-operation.ts'
import { type ItemView, problemOfId, problemOfKey, readDocument, uniqueValues } from './item-view.ts'
import { patchDocument } from './patch-document.ts'

/** Whether a document meets the condition of a patch. */
export type ConditionCheck = (condition: string, document: unknown) => boolean

/** Inputs of a decision. */
export interface DecisionContext {
  readonly container: Container
  readonly view: ItemView
  readonly nowMs: number
  /** LSN of the change, if the operation is applied. */
  readonly lsn: number
  readonly meets: ConditionCheck
  readonly maxLogicalPartitionBytes: number
}

/** Decides what an operation does to a container and what it costs; changes nothing. */
export function decide(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const keyProblem = problemOfKey(operation.key, context.container)
  if (keyProblem !== undefined) return refuse(operation, partition, keyProblem)
  switch (operation.type) {
    case 'Create':
    case 'Upsert':
      return decideCreate(operation, partition, context)
    case 'Replace':
      return decideReplace(operation, partition, context)
    case 'Patch':
      return decidePatch(operation, partition, context)
    case 'Read':
      return decideRead(operation, partition, context)
    case 'Delete':
      return decideDelete(operation, partition, context)
  }
}

function decideCreate(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const item = readDocument(context.container, operation.body, operation.key)
  if ('status' in item) return refuse(operation, partition, item)
  const existing = context.view.find(partition, item.id)
  if (existing === undefined) {
    return put(operation, partition, context, {
      item,
      existing,
      status: 201,
      chargeRu: createCharge(item.length, item.terms)
    })
  }
  if (operation.type === 'Create') return refuse(operation, partition, CONFLICT)
  if (!matches(operation.ifMatch, existing, context)) return refuse(operation, partition, PRECONDITION)
  return put(operation, partition, context, {
    item,
    existing,
    status: 200,
    chargeRu: chargeOfReplace(existing, item, context)
  })
}

function decideReplace(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const item = readDocument(context.container, operation.body, operation.key)
  if ('status' in item) return refuse(operation, partition, item)
  const existing = findNamed(operation, partition, context)
  if ('message' in existing) return refuse(operation, partition, existing)
  if (!matches(operation.ifMatch, existing, context)) return refuse(operation, partition, PRECONDITION)
  const isTaken = item.id !== existing.id && context.view.find(partition, item.id) !== undefined
  if (isTaken) return refuse(operation, partition, CONFLICT)
  return put(operation, partition, context, {
    item,
    existing,
    status: 200,
    chargeRu: chargeOfReplace(existing, item, context)
  })
}

function decidePatch(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const existing = findNamed(operation, partition, context)
  if ('message' in existing) return refuse(operation, partition, existing)
  if (!matches(operation.ifMatch, existing, context)) return refuse(operation, partition, PRECONDITION)
  const patched = patchDocument(existing, operation.body, context)
  if ('status' in patched) return refuse(operation, partition, patched)
  const item = readDocument(context.container, patched.document, operation.key)
  if ('status' in item) return refuse(operation, partition, item)
  const changed = changeOf(existing, item, context)
  const chargeRu = patchCharge(Math.max(existing.length, item.length), changed, patched.patchedProperties)
  return put(operation, partition, context, { item, existing, status: 200, chargeRu })
}

function decideRead(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const item = findNamed(operation, partition, context)
  if ('message' in item) return refuse(operation, partition, item)
  const etag =
    operation.ifNoneMatch === undefined ? undefined : context.container.itemEtag(item.version, item.timestamp)
  const isUnchanged = etag !== undefined && (operation.ifNoneMatch === '*' || operation.ifNoneMatch === etag)
  const chargeRu = isUnchanged ? LOOKUP_RU : pointReadCharge(item.length)
  return passive(operation, partition, { status: isUnchanged ? 304 : 200, chargeRu, effect: 'none', item })
}

function decideDelete(operation: ItemOperation, partition: LogicalPartition, context: DecisionContext): Decision {
  const existing = findNamed(operation, partition, context)
  if ('message' in existing) return refuse(operation, partition, existing)
  if (!matches(operation.ifMatch, existing, context)) return refuse(operation, partition, PRECONDITION)
  const chargeRu = createCharge(existing.length, existing.terms)
  return passive(operation, partition, { status: 204, chargeRu, effect: 'remove', item: undefined })
}

function put(
  operation: ItemOperation,
  partition: LogicalPartition,
  context: DecisionContext,
  what: { item: StagedItem; existing: ItemState | undefined; status: number; chargeRu: number }
): Decision {
  const { container, view, nowMs } = context
  const { item, existing } = what
  const taken = uniqueValues(container, partition, item.document)
  for (const value of taken) {
    const holder = view.holder(value)
    // an item with that value may have expired, but may still be stored
    const isHeld =
      holder !== undefined &&
      holder !== item.id &&
      holder !== existing?.id &&
      view.find(partition, holder) !== undefined
    if (isHeld) return refuse(operation, partition, UNIQUE_VIOLATION)
  }
  if (partition.bytes + item.length - (existing?.length ?? 0) > context.maxLogicalPartitionBytes) {
    return refuse(operation, partition, PARTITION_FULL)
  }
  item.ordinal = existing?.ordinal ?? container.nextOrdinal()
  item.version = container.nextVersion()
  item.lsn = context.lsn
  item.timestamp = Math.floor(nowMs / 1000)
  return {
    status: what.status,
    subStatus: 0,
    message: undefined,
    chargeRu: what.chargeRu,
    effect: 'put',
    type: operation.type,
    id: item.id,
    formerId: existing === undefined || existing.id === item.id ? undefined : existing.id,
    partition,
    item,
    isAbsent: existing === undefined && view.missedId === item.id,
    uniqueValues: taken
  }
}

function findNamed(
  operation: ItemOperation,
  partition: LogicalPartition,
  context: DecisionContext
): ItemState | Refusal {
  if (operation.id === undefined && operation.ordinal !== undefined) return NOT_FOUND
  const problem = problemOfId(operation.id)
  if (problem !== undefined) return { status: 400, subStatus: 0, message: problem }
  return context.view.find(partition, operation.id!) ?? NOT_FOUND
}

function matches(ifMatch: string | undefined, existing: ItemState, context: DecisionContext): boolean {
  return (
    ifMatch === undefined ||
    ifMatch === '*' ||
    ifMatch === context.container.itemEtag(existing.version, existing.timestamp)
  )
}

function chargeOfReplace(existing: ItemState, item: StagedItem, context: DecisionContext): number {
  return replaceCharge(item.length, existing.holds(item.document) ? 0 : changeOf(existing, item, context))
}

function changeOf(existing: ItemState, item: StagedItem, { container: { indexPolicy } }: DecisionContext): number {
  return indexPolicy === undefined
    ? 0
    : changedTerms(JSON.parse(existing.json()) as object, item.document.value, indexPolicy)
}

function refuse(operation: ItemOperation, partition: LogicalPartition, why: Refusal): Decision {
  const { status, subStatus, message } = why
  const { type, id = '' } = operation
  const item = undefined
  return {
    status,
    subStatus,
    message,
    chargeRu: LOOKUP_RU,
    effect: 'none',
    type,
    id,
    formerId: undefined,
    partition,
    item,
    uniqueValues: NO_VALUES
  }
}

function passive(
  operation: ItemOperation,
  partition: LogicalPartition,
  what: Pick<Decision, 'status' | 'chargeRu' | 'effect' | 'item'>
): Decision {
  const { status, chargeRu, effect, item } = what
  const { type, id = '' } = operation
  return {
    status,
    subStatus: 0,
    message: undefined,
    chargeRu,
    effect,
    type,
    id,
    formerId: undefined,
    partition,
    item,
    uniqueValues: NO_VALUES
  }
}

const NO_VALUES: readonly string[] = []

const NOT_FOUND: Refusal = {
  status: 404,
  subStatus: 0,
  message: 'Entity with the specified id does not exist in the system.'
}
const CONFLICT: Refusal = {
  status: 409,
  subStatus: 0,
  message: 'Entity with the specified id already exists in the system.'
}
const UNIQUE_VIOLATION: Refusal = { status: 409, subStatus: 3301, message: 'Unique index constraint violation.' }
const PARTITION_FULL: Refusal = {
  status: 403,
  subStatus: 1014,
  message: 'The logical partition has reached its maximum size.'
}
const PRECONDITION: Refusal = { status: 412, subStatus: 0, message: 'One of the specified pre-condition is not met.' }
