import type { Clock } from '@keystamp/core/internal'
import type { ByteBudget } from './byte-budget.ts'
import type { Outcome } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'
import type { OrderRule } from '../newest/judge.ts'
import { KnownDocuments } from '../newest/known-documents.ts'
import { kept } from './newest-answers.ts'
import type { NewestStep } from '../newest/newest-state.ts'
import { comparePositions, type Position } from '../newest/position.ts'

/** Counters of writes that store only what is newer. */
export interface NewestCounts {
  /** Changes that were not stored, because a newer one was known or read. */
  readonly older: number
  /** Documents that were read before they were replaced. */
  readonly reads: number
  /** Times that another write came between. */
  readonly conflicts: number
}

/** Writes that other writers get in the way of again and again. */
export interface Contention {
  readonly operations: number
  readonly sinceMs: number
}

interface NewestWritesOptions {
  readonly rule: OrderRule
  readonly clock: Clock
  /** Number of documents whose ETag is kept. */
  readonly maxKnown: number
  readonly byteBudget: ByteBudget | undefined
}

/**
 * Decides what a write that stores only what is newer sends: a create; a replace with the ETag that is known; or a read
 * first, if most documents turned out to exist.
 */
export class NewestWrites {
  readonly rule: OrderRule
  readonly counts: { older: number; reads: number; conflicts: number } = { older: 0, reads: 0, conflicts: 0 }
  readonly #options: NewestWritesOptions
  readonly #known: KnownDocuments
  readonly #contended: Set<PendingOperation> = new Set()
  /** Moving share of unknown documents that turned out to exist. */
  #existing = 0

  constructor(options: NewestWritesOptions) {
    this.rule = options.rule
    this.#options = options
    this.#known = new KnownDocuments(options.maxKnown)
  }

  /** Operations with several conflicts, and the time of the first of these conflicts. */
  get contention(): Contention | undefined {
    let sinceMs = Number.POSITIVE_INFINITY
    for (const operation of this.#contended) {
      if (operation.state === 'closed') this.#contended.delete(operation)
      else sinceMs = Math.min(sinceMs, operation.newest!.conflictMs)
    }
    return this.#contended.size === 0 ? undefined : { operations: this.#contended.size, sinceMs }
  }

  /** Prepares an operation that has become the first of its document. Returns its outcome if nothing has to be sent. */
  begin(operation: PendingOperation): Outcome | undefined {
    const newest = operation.newest!
    const known = this.#known.get(operation.document)
    if (known === undefined) {
      this.#set(operation, this.#existing > READ_FIRST ? READ : CREATE)
      return undefined
    }
    const order = comparePositions(newest.position, known.position)
    if (order === 'same' || order === 'older') {
      this.counts.older++
      return kept(0)
    }
    // the entry may be out of date, so it does not decide about a tie
    this.#set(operation, order === 'newer' ? { phase: 'replace', etag: known.etag } : READ)
    return undefined
  }

  /** Applies the next step after an answer. */
  take(operation: PendingOperation, step: NewestStep): void {
    const newest = operation.newest!
    if (operation.state === 'closed') return
    if (newest.phase === 'create') this.#saw(step.phase === 'read')
    else if (newest.phase === 'read' && newest.conflicts === 0) this.#saw(step.phase === 'replace')
    if (step.phase !== 'replace' && step.isConflict) this.#conflict(operation)
    // an answer ends a series of failures
    if (operation.retry !== undefined) operation.retry.attempts = 0
    this.#set(operation, step)
  }

  /** Remembers what an operation has stored, or that it has found something newer. */
  found(operation: PendingOperation, etag: string | undefined, position: Position): void {
    const { phase, conflicts } = operation.newest!
    if (phase === 'create') this.#saw(false)
    else if (phase === 'read' && conflicts === 0) this.#saw(true)
    if (position !== operation.newest!.position) this.counts.older++
    if (etag === undefined) this.#known.forget(operation.document)
    else this.#known.set(operation.document, { etag, position })
  }

  #conflict(operation: PendingOperation): void {
    const newest = operation.newest!
    this.counts.conflicts++
    this.#known.forget(operation.document)
    if (newest.conflicts++ === 0) newest.conflictMs = this.#options.clock.now()
    else this.#contended.add(operation)
  }

  #saw(exists: boolean): void {
    this.#existing += ((exists ? 1 : 0) - this.#existing) * WEIGHT
  }

  #set(operation: PendingOperation, step: NewestStep): void {
    const { bytes } = operation
    operation.newest!.phase = step.phase
    if (step.phase === 'read') this.counts.reads++
    else operation.type = step.phase === 'create' ? 'Create' : 'Replace'
    operation.setConditions({
      ...operation.conditions,
      ifMatch: step.phase === 'replace' ? step.etag : undefined
    })
    this.#options.byteBudget?.grow(operation.lane!, operation.bytes - bytes)
  }
}

const CREATE: NewestStep = { phase: 'create', isConflict: false }
const READ: NewestStep = { phase: 'read', isConflict: false }
/** From this share of existing documents on, reading first costs less than a create that is refused. */
const READ_FIRST = 0.5
const WEIGHT = 0.02
