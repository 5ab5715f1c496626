import { type KeyDefinition, type KeyValue, partitionHash } from '@keystamp/core'
import { type Body, bodyLength, openingLength } from './batch-encoder.ts'
import { nextState, type OperationEvent, type OperationState } from './operation-state.ts'
import type { Outcome } from './outcome.ts'

export type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Delete' | 'Patch' | 'Atomic'

/** What an operation demands beside its document. */
export interface WriteConditions {
  readonly ifMatch: string | undefined
  /** Statuses that mean `unchanged`. */
  readonly ignore: readonly number[]
  /** Whether it may be sent once more when nobody knows if it was applied. */
  readonly isRepeatable: boolean
}

/** The conditions of almost all operations. */
export const NO_CONDITIONS: WriteConditions = { ifMatch: undefined, ignore: [], isRepeatable: true }

/** What is known of an operation when it comes in. */
interface OperationFacts {
  readonly type: OperationType
  /** The partition key, a value a level. */
  readonly values: readonly KeyValue[]
  readonly id: string
  readonly definition: KeyDefinition
  /** Where the key lies: how its effective partition key begins. */
  readonly head: number
  readonly body: Body | undefined
  readonly conditions: WriteConditions
}

/** Told what became of an operation, or of the error that stopped the work. */
export type OnOutcome = (outcome: Outcome | Error) => void

/** Whether what belongs to it may still be sent. */
export interface Fence {
  readonly isLost: boolean
}

/** True when an operation must not be sent; for an atomic batch when one of its parts must not. */
export function isFenced({ fence, group }: PendingOperation): boolean {
  if (fence !== undefined && fence.isLost) return true
  return group !== undefined && group.parts.some(isFenced)
}

/** What an atomic batch is made of. */
interface Group {
  /** One for each element of the request. */
  readonly parts: readonly PendingOperation[]
  /** The first part of each document. */
  readonly firsts: readonly PendingOperation[]
  /** Takes one outcome for each part. */
  readonly onOutcomes: (outcomes: readonly Outcome[]) => void
  /** Documents in whose queue it is not the first. */
  documentsBehind: number
}

/** Counts the operations that were taken in between two flushes and are still open. */
export interface FlushEpoch {
  open: number
}

/** Counts what belongs to one queue. */
export interface LaneUsage {
  bytes: number
  readonly counts: { settled: number; superseded: number }
}

/** What is remembered of an operation that did not go through at once. */
interface RetryState {
  /** Attempts that failed; being throttled is not among them. */
  attempts: number
  firstFailureMs: number
  /** An answer was lost: it may have been applied. */
  isAmbiguous: boolean
  /** What the answer was that has to be confirmed: the document is being read to learn whether an earlier attempt was applied. */
  unconfirmed: Outcome | undefined
}

/** An operation on its way, and those that it superseded. There are as many as records on their way: what few of them need stands beside them. */
export class PendingOperation {
  readonly type: OperationType
  readonly values: readonly KeyValue[]
  readonly id: string
  readonly definition: KeyDefinition
  readonly head: number
  readonly conditions: WriteConditions
  /** Tells its document from most others. */
  readonly documentHash: number
  body: Body | undefined
  /** Bytes on the wire. */
  bytes: number
  onOutcome: OnOutcome
  fence: Fence | undefined = undefined
  older: Superseded | undefined = undefined

  /** The next operation on the same document, and for the first one the last. */
  next: PendingOperation | undefined = undefined
  last: PendingOperation
  nextInBucket: PendingOperation | undefined = undefined
  /** What an atomic batch is made of. */
  readonly group: Group | undefined
  /** The atomic batch that it stands for in the queue of its document. */
  owner: PendingOperation | undefined = undefined

  state: OperationState = 'waiting'
  /** RU by which it counts in its lane while it waits. */
  weightRu = 0
  retry: RetryState | undefined = undefined
  epoch: FlushEpoch | undefined = undefined
  /** Where its bytes are counted. */
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

  /** The partition key as JSON array text. */
  get keyText(): string {
    return JSON.stringify(this.values)
  }

  /** Where exactly the key lies; hardly ever asked, since its beginning says enough. */
  get epk(): string {
    return partitionHash(this.values, this.definition)
  }

  /** Names the document: a key text ends with a bracket, so two documents never share a name. */
  get document(): string {
    return this.keyText + this.id
  }

  /** A plain upsert can take the place of one that waits before it. */
  get isPlain(): boolean {
    return this.type === 'Upsert' && this.conditions.ifMatch === undefined
  }

  get isAmbiguous(): boolean {
    return this.retry?.isAmbiguous === true
  }

  get isConfirming(): boolean {
    return this.retry?.unconfirmed !== undefined
  }

  /** What is remembered of its attempts from now on. */
  ensureRetryState(): RetryState {
    return (this.retry ??= { attempts: 0, firstFailureMs: 0, isAmbiguous: false, unconfirmed: undefined })
  }

  /** Changes the state as the table of states says. */
  on(event: OperationEvent): void {
    this.state = nextState(this.state, event)
  }

  /** Counts a failed attempt. */
  recordFailure(nowMs: number, isAmbiguous: boolean): void {
    const retry = this.ensureRetryState()
    if (isAmbiguous) retry.isAmbiguous = true
    if (retry.attempts++ === 0) retry.firstFailureMs = nowMs
  }

  /** Takes what a later plain upsert of the same document wants, in the place where this one waits. */
  supersedeBy(later: PendingOperation): void {
    const { body, onOutcome, fence, older, epoch, bytes } = this
    this.older = behind(later.older, { body: body!, onOutcome, fence, older, epoch, bytes })
    this.body = later.body
    this.bytes = later.bytes
    this.onOutcome = later.onOutcome
    this.fence = later.fence
    this.epoch = later.epoch
    forgetAttempts(this)
  }

  /** Goes back to the newest body that was superseded. */
  restoreOlder(): void {
    const { body, onOutcome, fence, older, epoch, bytes } = this.older!
    this.body = body
    this.bytes = bytes
    this.onOutcome = onOutcome
    this.fence = fence
    this.epoch = epoch
    this.older = older
    forgetAttempts(this)
  }
}

// Functions, not methods: what has private methods carries a mark of them, in each of as many objects as there are records.

// a deadline counts for one body, and another one deserves its own
function forgetAttempts({ retry }: PendingOperation): void {
  if (retry === undefined) return
  retry.attempts = 0
  retry.firstFailureMs = 0
}

function measure(pending: PendingOperation): number {
  const bytes = openingLength(pending) + CLOSING_BYTES
  return pending.body === undefined ? bytes : bytes + bodyLength(pending.body)
}

/** A body that a later one took the place of, and who waits for its outcome. */
interface Superseded {
  readonly body: Body
  readonly bytes: number
  readonly onOutcome: OnOutcome
  readonly fence: Fence | undefined
  readonly epoch: FlushEpoch | undefined
  older: Superseded | undefined
}

function behind(newer: Superseded | undefined, oldest: Superseded): Superseded {
  if (newer === undefined) return oldest
  let last = newer
  while (last.older !== undefined) last = last.older
  last.older = oldest
  return newer
}

// a brace and a comma
const CLOSING_BYTES = 2

/** A hash of the document's name: how the hash of its key begins, and its id. */
function documentHashOf(head: number, id: string): number {
  let hash = head | 0
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), PRIME)
  hash ^= hash >>> 15
  // small enough to stand in the object itself
  return hash & 0x3fffffff
}

const PRIME = 0x01000193
