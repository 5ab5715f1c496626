import type { Clock } from '@keystamp/core/internal'
import type { ByteBudget } from './byte-budget.ts'
import { kept, type Outcome } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'
import type { OrderRule } from '../newest/judge.ts'
import type { GroupStep } from './actions.ts'
import { type Base, outcomesWithoutWrite, planGroup } from './newest-group.ts'
import type { NewestStep, OrderedPatch } from './operation-state.ts'
import { comparePositions, type KnownDocument, type Position } from '../newest/position.ts'

/** Counters of writes of a writer with `newest`. */
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
 * Decides what a write of a writer with `newest` sends: a create; a replace with the ETag that is known; or a read
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
      else sinceMs = Math.min(sinceMs, (operation.newest ?? operation.group!.newest!).conflictMs)
    }
    return this.#contended.size === 0 ? undefined : { operations: this.#contended.size, sinceMs }
  }

  /** Prepares an operation that has become the first of its document. Returns its outcome if nothing has to be sent. */
  begin(operation: PendingOperation): Outcome | undefined {
    const newest = operation.newest!
    const known = this.#known.get(operation.document)
    if (known === undefined) {
      this.#set(operation, this.#firstStep(operation))
      return undefined
    }
    const order = comparePositions(newest.position, known.position)
    if (order === 'same' || order === 'older') {
      this.counts.older++
      return kept(0)
    }
    // the entry may be out of date, so it does not decide about a tie, nor that a document is missing
    const isCertain = order === 'newer' && !(newest.patch !== undefined && known.isMarker)
    this.#set(operation, isCertain ? { phase: 'replace', etag: known.etag } : READ)
    return undefined
  }

  #firstStep({ newest }: PendingOperation): NewestStep {
    if (newest!.patch !== undefined) return newest!.patch.condition === undefined ? READ : CONDITION
    return this.#existing > READ_FIRST ? READ : CREATE
  }

  /**
   * Prepares an atomic batch that has become the first of its documents. Returns its outcomes if nothing has to be sent.
   */
  beginGroup(operation: PendingOperation): readonly Outcome[] | undefined {
    const group = operation.group!.newest!
    const bases = group.documents.map(({ parts: [first] }): Base | undefined => {
      const known = this.#known.get(first.document)
      if (known !== undefined) return { kind: 'known', ...known }
      return this.#existing > READ_FIRST ? undefined : { kind: 'assumedAbsent' }
    })
    const step = planGroup(group, bases, this.rule, false)
    const outcomes = step.kind === 'write' ? outcomesWithoutWrite(step.fates) : undefined
    if (outcomes === undefined) this.takeGroup(operation, step)
    else this.countOlder(outcomes)
    return outcomes
  }

  /** Applies the next step of an atomic batch. */
  takeGroup(operation: PendingOperation, step: GroupStep): void {
    const group = operation.group!.newest!
    if (operation.state === 'closed') return
    // an answer with something new ends a series of failures
    const isNew = step.kind === 'conflict' || step.bases.some((base, index) => base !== group.documents[index].base)
    if (isNew && operation.retry !== undefined) operation.retry.attempts = 0
    if (step.kind === 'conflict') this.#groupConflict(operation)
    else for (const [index, document] of group.documents.entries()) document.base = step.bases[index]
    if (step.kind === 'write') group.fates = step.fates
    group.isReading = step.kind !== 'write'
    if (group.isReading) {
      const missing = group.documents.filter(({ base }) => base === undefined)
      group.elements = missing.map(({ parts: [first] }) => first)
      for (const part of group.elements) {
        part.newest!.conflicts = group.conflicts
        this.#set(part, READ)
      }
    } else {
      group.elements = group.parts.filter((_, index) => group.fates[index].kind === 'send')
      for (const [index, part] of group.parts.entries()) {
        const fate = group.fates[index]
        if (fate.kind === 'send') this.#set(part, fate.step)
      }
    }
  }

  /** Counts the parts of an atomic batch that were not stored. */
  countOlder(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) if (outcome.kind === 'written' && outcome.isSuperseded) this.counts.older++
  }

  #groupConflict(operation: PendingOperation): void {
    const group = operation.group!.newest!
    this.counts.conflicts++
    for (const document of group.documents) {
      this.#known.forget(document.parts[0].document)
      document.base = undefined
    }
    if (group.conflicts++ === 0) group.conflictMs = this.#options.clock.now()
    else this.#contended.add(operation)
  }

  /** Applies the next step after an answer. */
  take(operation: PendingOperation, step: NewestStep): void {
    const newest = operation.newest!
    if (operation.state === 'closed') return
    if (newest.phase === 'create') this.#saw(step.phase === 'read')
    else if (newest.phase === 'read' && newest.conflicts === 0) this.#saw(step.phase === 'replace')
    if ('isConflict' in step && step.isConflict) this.#conflict(operation)
    // an answer ends a series of failures
    if (operation.retry !== undefined) operation.retry.attempts = 0
    this.#set(operation, step)
  }

  /** Remembers what an operation has stored, or that it has found something newer. */
  found(operation: PendingOperation, { etag, position, isMarker }: Found): void {
    const { phase, conflicts } = operation.newest!
    if (phase === 'create') this.#saw(false)
    else if (phase === 'read' && conflicts === 0) this.#saw(true)
    if (operation.lane !== undefined && position !== operation.newest!.position) this.counts.older++
    if (etag === undefined) this.#known.forget(operation.document)
    else this.#known.set(operation.document, { etag, position, isMarker })
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
    const { bytes, newest } = operation
    const { patch } = newest!
    newest!.phase = step.phase
    if (step.phase === 'read') this.counts.reads++
    else if (patch === undefined) operation.type = step.phase === 'create' ? 'Create' : 'Replace'
    else operation.body = step.phase === 'condition' ? withCondition(patch) : patch.body
    operation.setConditions({
      ...operation.conditions,
      ifMatch: step.phase === 'replace' ? step.etag : undefined
    })
    // the parts of an atomic batch are counted together, by their first size
    if (operation.lane !== undefined) this.#options.byteBudget?.grow(operation.lane, operation.bytes - bytes)
  }
}

interface Found {
  readonly etag: string | undefined
  readonly position: Position
  readonly isMarker: boolean
}

function withCondition({ body, condition }: OrderedPatch): string {
  return `${body.slice(0, -1)},"condition":${JSON.stringify(condition ?? NEVER)}}`
}

/** A condition that no document meets: the answer tells whether there is a document. */
const NEVER = 'from c where NOT IS_DEFINED(c["id"])'
const CONDITION: NewestStep = { phase: 'condition', isConflict: false }
const CREATE: NewestStep = { phase: 'create', isConflict: false }
const READ: NewestStep = { phase: 'read', isConflict: false }
/** From this share of existing documents on, reading first costs less than a create that is refused. */
const READ_FIRST = 0.5
const WEIGHT = 0.02

/**
 * The documents that were written last, up to a number. An entry can be out of date: a write that uses it has its ETag
 * as a condition.
 */
export class KnownDocuments {
  readonly #max: number
  /** Two generations: a document that is used while it is in the older one moves to the younger one. */
  #young: Map<string, KnownDocument> = new Map()
  #old: Map<string, KnownDocument> = new Map()

  constructor(max: number) {
    this.#max = max
  }

  get(document: string): KnownDocument | undefined {
    const known = this.#young.get(document)
    if (known !== undefined) return known
    const older = this.#old.get(document)
    if (older !== undefined) this.set(document, older)
    return older
  }

  set(document: string, known: KnownDocument): void {
    if (this.#young.size >= this.#max / 2 && !this.#young.has(document)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(document, known)
  }

  forget(document: string): void {
    this.#young.delete(document)
    this.#old.delete(document)
  }
}
