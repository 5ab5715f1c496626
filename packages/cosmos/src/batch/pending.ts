import { type Body, bodyLength } from './body.ts'
import type { Outcome } from '../classify/outcome.ts'

export type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Delete' | 'Patch' | 'Atomic'

/** What is known of an operation when it comes in. */
export interface PendingFacts {
  readonly type: OperationType
  /** The partition key as JSON array text. */
  readonly keyText: string
  readonly id: string
  /** Where the key lies: its effective partition key. */
  readonly epk: string
  readonly ifMatch: string | undefined
  readonly body: Body | undefined
  /** Statuses that mean `unchanged`. */
  readonly ignore: readonly number[]
  /** Whether it may be sent once more when nobody knows if it was applied. */
  readonly isRepeatable: boolean
}

export type Settle = (outcome: Outcome) => void
export type Fail = (error: Error) => void

/** What an atomic batch is made of. */
export interface GroupFacts {
  /** One for each element of the request. */
  readonly parts: readonly Pending[]
  /** The first part of each document. */
  readonly firsts: readonly Pending[]
  /** Takes one outcome for each part. */
  readonly settle: (outcomes: readonly Outcome[]) => void
}

/** Counts the operations that were taken in between two flushes and are still open. */
export interface Epoch {
  open: number
}

/** Counts what belongs to one queue. */
export interface Home {
  bytes: number
  readonly counts: { settled: number; superseded: number }
}

/** `behind` others of its document, `queued` in a lane, `inFlight` until its answer was dealt with, or `delayed` before it is sent again. */
export type PendingState = 'behind' | 'queued' | 'inFlight' | 'delayed'

/** An operation on its way, and those that it superseded. */
export class Pending {
  readonly type: OperationType
  readonly keyText: string
  readonly id: string
  readonly epk: string
  readonly ifMatch: string | undefined
  readonly ignore: readonly number[]
  readonly isRepeatable: boolean
  /** A plain upsert can take the place of one that waits before it. */
  readonly isPlain: boolean
  /** Names the document: a key text ends with a bracket, so two documents never share a name. */
  readonly document: string
  /** The element's text before its body. */
  readonly opening: string
  body: Body | undefined
  /** Bytes on the wire. */
  bytes: number
  settle: Settle
  fail: Fail
  older: Superseded | undefined

  /** The next operation on the same document, and for the first one the last. */
  next: Pending | undefined
  last: Pending
  /** What an atomic batch is made of. */
  readonly group: GroupFacts | undefined
  /** The atomic batch that it stands for in the queue of its document. */
  owner: Pending | undefined
  /** Documents in whose queue an atomic batch is not the first. */
  documentsBehind = 0

  state: PendingState = 'behind'
  /** RU that were paid in advance. */
  paidRu = 0
  /** RU by which it counts in its lane while it waits. */
  weightRu = 0
  /** Attempts that failed; being throttled is not among them. */
  attempts = 0
  firstFailureMs = 0
  /** An answer was lost: it may have been applied. */
  isAmbiguous = false
  /** The document is being read to learn whether an earlier attempt was applied. */
  isConfirming = false
  /** What the answer was that has to be confirmed. */
  doubt: Outcome | undefined
  epoch: Epoch | undefined
  /** Where its bytes are counted. */
  home: Home | undefined
  /** It failed, and was told so. */
  isClosed = false

  constructor(facts: PendingFacts, settle: Settle, fail: Fail, group?: GroupFacts) {
    this.type = facts.type
    this.keyText = facts.keyText
    this.id = facts.id
    this.epk = facts.epk
    this.ifMatch = facts.ifMatch
    this.ignore = facts.ignore
    this.isRepeatable = facts.isRepeatable
    this.isPlain = facts.type === 'Upsert' && facts.ifMatch === undefined
    this.document = facts.keyText + facts.id
    this.opening = facts.type === 'Atomic' ? '' : openingOf(facts)
    this.body = facts.body
    this.group = group
    this.bytes = group === undefined ? this.#measure() : group.parts.reduce((sum, part) => sum + part.bytes, 0)
    this.settle = settle
    this.fail = fail
    this.last = this
    if (group !== undefined) for (const first of group.firsts) first.owner = this
  }

  /** Takes what a later plain upsert of the same document wants, in the place where this one waits. */
  supersedeBy(later: Pending): void {
    const { body, settle, fail, older, epoch, bytes } = this
    this.older = behind(later.older, { body: body!, settle, fail, older, epoch, bytes })
    this.body = later.body
    this.bytes = later.bytes
    this.settle = later.settle
    this.fail = later.fail
    this.epoch = later.epoch
    this.#forgetAttempts()
  }

  /** Goes back to the newest body that was superseded. */
  restoreOlder(): void {
    const { body, settle, fail, older, epoch, bytes } = this.older!
    this.body = body
    this.bytes = bytes
    this.settle = settle
    this.fail = fail
    this.epoch = epoch
    this.older = older
    this.#forgetAttempts()
  }

  // a deadline counts for one body, and another one deserves its own
  #forgetAttempts(): void {
    this.attempts = 0
    this.firstFailureMs = 0
  }

  #measure(): number {
    const bytes = Buffer.byteLength(this.opening) + CLOSING_BYTES
    return this.body === undefined ? bytes : bytes + BODY_NAME.length + bodyLength(this.body)
  }
}

/** A body that a later one took the place of, and who waits for its outcome. */
export interface Superseded {
  readonly body: Body
  readonly bytes: number
  readonly settle: Settle
  readonly fail: Fail
  readonly epoch: Epoch | undefined
  older: Superseded | undefined
}

function behind(newer: Superseded | undefined, oldest: Superseded): Superseded {
  if (newer === undefined) return oldest
  let last = newer
  while (last.older !== undefined) last = last.older
  last.older = oldest
  return newer
}

/** Stands before a body. */
export const BODY_NAME = ',"resourceBody":'
// a brace and a comma
const CLOSING_BYTES = 2

function openingOf({ type, keyText, id, ifMatch }: PendingFacts): string {
  let text = `{"operationType":"${type}","partitionKey":${JSON.stringify(keyText)}`
  // the id of what is created stands in its body
  if (type !== 'Upsert' && type !== 'Create') text += `,"id":${JSON.stringify(id)}`
  return ifMatch === undefined ? text : `${text},"ifMatch":${JSON.stringify(ifMatch)}`
}
