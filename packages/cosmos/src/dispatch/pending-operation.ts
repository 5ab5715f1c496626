import { type KeyComponent, type KeyDefinition, partitionHash } from '@keystamp/core'
import { keyText } from '../client/container.ts'
import type { NewestGroup } from './newest-group.ts'
import { type Body, bodyLength, openingLength } from './batch-encoder.ts'
import { type NewestState, nextState, type OperationEvent, type OperationState } from './operation-state.ts'
import type { Outcome, TwinState } from './outcome.ts'

export type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Delete' | 'Patch' | 'Atomic'

/** Conditions of a write, in addition to its document. */
export interface WriteConditions {
  readonly ifMatch: string | undefined
  /** Statuses with the outcome `unchanged`. */
  readonly ignore: readonly number[]
  /** Whether the operation may be sent again if it is unknown whether it was applied. */
  readonly isRepeatable: boolean
}

/** The conditions of almost all operations. */
export const NO_CONDITIONS: WriteConditions = { ifMatch: undefined, ignore: [], isRepeatable: true }

/** Facts about an operation at its submission. */
interface OperationFacts {
  readonly type: OperationType
  /** The partition key, one value for each level. */
  readonly values: readonly KeyComponent[]
  readonly id: string
  readonly definition: KeyDefinition
  /** Beginning of the effective partition key, as a number. */
  readonly head: number
  readonly body: Body | undefined
  readonly conditions: WriteConditions
}

/** Called with the outcome of an operation, or with the error that stopped the writer. */
export type OnOutcome = (outcome: Outcome | Error) => void

/** Tells whether operations may still be sent. Each operation may have a fence, which others may share. */
export interface Fence {
  readonly isLost: boolean
}

/** True if an operation must not be sent; for an atomic batch, if one of its parts must not be sent. */
export function isFenced({ fence, group }: PendingOperation): boolean {
  if (fence !== undefined && fence.isLost) return true
  return group !== undefined && group.parts.some(isFenced)
}

/** Parts of an atomic batch. */
interface Group {
  /** One part for each element of the request. */
  readonly parts: readonly PendingOperation[]
  /** The first part of each document. */
  readonly firsts: readonly PendingOperation[]
  /** Called with one outcome for each part. */
  readonly onOutcomes: (outcomes: readonly Outcome[]) => void
  /** Number of the batch's documents that still have earlier operations. */
  blockedDocuments: number
  /** Set if the batch is of a writer with `newest`. */
  readonly newest?: NewestGroup | undefined
}

/** The operations of a request, one for each of its elements. */
export function elementsOf(operations: readonly PendingOperation[]): readonly PendingOperation[] {
  const [{ group }] = operations
  return group === undefined ? operations : (group.newest?.elements ?? group.parts)
}

/** Counts the open operations that were submitted between two flushes. */
export interface FlushEpoch {
  open: number
}

/** Usage and counters of one lane. */
export interface LaneUsage {
  /** Operations without an outcome. */
  pending: number
  /** Bytes of the pending operations, if a byte budget counts them. */
  bytes: number
  readonly counts: { settled: number; superseded: number }
}

/** State of an operation that did not succeed at once. */
interface RetryState {
  /** Failed attempts; a throttled request is not counted. */
  attempts: number
  /** Run time of the process at the first of these failures. */
  firstFailureMs: number
  /** True if a request without an answer may have applied the operation. */
  isAmbiguous: boolean
  /** Outcome to confirm: the document is being read to find out whether an earlier attempt was applied. */
  unconfirmed: Outcome | undefined
  /** Set if the operation deletes the old twin of an upsert. Until the twin was read, `unconfirmed` is set, too. */
  twin: TwinState | undefined
}

/**
 * An operation until its outcome, and the operations that it superseded. There is one for each pending record, so
 * rarely used fields are in separate objects.
 */
export class PendingOperation {
  type: OperationType
  readonly values: readonly KeyComponent[]
  readonly id: string
  readonly definition: KeyDefinition
  readonly head: number
  conditions: WriteConditions
  /** Hash of the document's name, which few other documents have. */
  readonly documentHash: number
  body: Body | undefined
  /** Bytes in the request. */
  bytes: number
  onOutcome: OnOutcome
  fence: Fence | undefined = undefined
  older: Superseded | undefined = undefined

  /** The next operation on the same document. */
  next: PendingOperation | undefined = undefined
  last: PendingOperation
  nextInBucket: PendingOperation | undefined = undefined
  /** Parts of an atomic batch; undefined for a single operation. */
  readonly group: Group | undefined
  /** The atomic batch of which this is a part, if this part represents the batch in the order of its document. */
  owner: PendingOperation | undefined = undefined

  state: OperationState = 'waiting'
  /** Estimated RU, as counted in the queue of the lane. */
  weightRu = 0
  retry: RetryState | undefined = undefined
  /** Set if the operation stores its document only if it is newer than the stored one. */
  newest: NewestState | undefined = undefined
  epoch: FlushEpoch | undefined = undefined
  /** The lane that counts the bytes of the operation. */
  lane: LaneUsage | undefined = undefined

  constructor(facts: OperationFacts, onOutcome: OnOutcome, group?: Group) {
    this.type = facts.type
    this.values = facts.values
    this.id = facts.id
    this.definition = facts.definition
    this.head = facts.head
    this.conditions = facts.conditions
    this.documentHash = documentHashOf(facts.head, facts.id)
    this.body = facts.body
    this.group = group
    this.last = this
    this.onOutcome = onOutcome
    this.bytes = group === undefined ? measure(this) : group.parts.reduce((sum, part) => sum + part.bytes, 0)
    if (group !== undefined) for (const first of group.firsts) first.owner = this
  }

  /** The partition key as a JSON array. */
  get keyText(): string {
    return keyText(this.values)
  }

  /** The effective partition key. Rarely needed, because its beginning nearly always suffices. */
  get epk(): string {
    return partitionHash(this.values, this.definition)
  }

  /** Name of the document: the JSON of a key ends with a bracket, so two documents never share a name. */
  get document(): string {
    return this.keyText + this.id
  }

  /** Whether this is an upsert without conditions, which can be coalesced with others. */
  get isPlain(): boolean {
    return this.type === 'Upsert' && this.conditions.ifMatch === undefined
  }

  get isAmbiguous(): boolean {
    return this.retry?.isAmbiguous === true
  }

  get isConfirming(): boolean {
    return this.retry?.unconfirmed !== undefined
  }

  /** Whether the document is read instead of written. */
  get isReading(): boolean {
    return this.isConfirming || (this.newest !== undefined && this.newest.phase === 'read')
  }

  /** Creates the state of retries on first use. */
  ensureRetryState(): RetryState {
    return (this.retry ??= {
      attempts: 0,
      firstFailureMs: 0,
      isAmbiguous: false,
      unconfirmed: undefined,
      twin: undefined
    })
  }

  /** Replaces the conditions, and measures the operation again. */
  setConditions(conditions: WriteConditions): void {
    this.conditions = conditions
    this.bytes = measure(this)
  }

  /** Changes the state according to the table of states. */
  on(event: OperationEvent): void {
    this.state = nextState(this.state, event)
  }

  /** Counts a failed attempt. */
  recordFailure(ranMs: number, isAmbiguous: boolean): void {
    const retry = this.ensureRetryState()
    if (isAmbiguous) retry.isAmbiguous = true
    if (retry.attempts++ === 0) retry.firstFailureMs = ranMs
  }

  /** Takes the body and the outcome callback of a later plain upsert on the same document. */
  supersedeBy(later: PendingOperation): void {
    const { body, onOutcome, fence, older, epoch, bytes, newest } = this
    const change = newest === undefined ? undefined : { position: newest.position, isMarker: newest.isMarker }
    this.older = appendOldest(later.older, { body: body!, onOutcome, fence, older, epoch, bytes, change })
    this.body = later.body
    this.bytes = later.bytes
    this.onOutcome = later.onOutcome
    this.fence = later.fence
    this.epoch = later.epoch
    if (newest !== undefined) replaceChange(this, newest, later.newest!)
    resetAttempts(this)
  }

  /** Restores the newest superseded body, with its callback. */
  restoreOlder(): void {
    const { body, onOutcome, fence, older, epoch, bytes, change } = this.older!
    this.body = body
    this.bytes = bytes
    this.onOutcome = onOutcome
    this.fence = fence
    this.epoch = epoch
    this.older = older
    if (change !== undefined) replaceChange(this, this.newest!, change)
    resetAttempts(this)
  }
}

// Functions instead of private methods, because each instance of a class with private methods has an additional brand,
// and there is one instance for each record.

// each body has its own deadline for retries
function resetAttempts({ retry }: PendingOperation): void {
  if (retry === undefined) return
  retry.attempts = 0
  retry.firstFailureMs = 0
}

/** The body changes with its position; what is known about the stored document stays. */
function replaceChange(pending: PendingOperation, newest: NewestState, { position, isMarker }: Change): void {
  newest.position = position
  newest.isMarker = isMarker
  pending.bytes = measure(pending)
}

type Change = Pick<NewestState, 'position' | 'isMarker'>

function measure(pending: PendingOperation): number {
  const bytes = openingLength(pending) + CLOSING_BYTES
  return pending.body === undefined ? bytes : bytes + bodyLength(pending.body)
}

/** A superseded body, and its outcome callback. */
interface Superseded {
  readonly body: Body
  readonly bytes: number
  readonly onOutcome: OnOutcome
  readonly fence: Fence | undefined
  readonly epoch: FlushEpoch | undefined
  readonly change: Change | undefined
  older: Superseded | undefined
}

function appendOldest(newer: Superseded | undefined, oldest: Superseded): Superseded {
  if (newer === undefined) return oldest
  let last = newer
  while (last.older !== undefined) last = last.older
  last.older = oldest
  return newer
}

// a brace and a comma
const CLOSING_BYTES = 2

/** Hash of a document: the beginning of its key's hash, and its id. */
function documentHashOf(head: number, id: string): number {
  let hash = head | 0
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), PRIME)
  hash ^= hash >>> 15
  // 30 bits, so that V8 stores the integer without a heap object
  return hash & 0x3fffffff
}

const PRIME = 0x01000193
