import type { OperationAnswer } from '../client/transport.ts'
import { judge, type OrderRule, type Ties } from '../newest/judge.ts'
import { comparePositions, isMarker, type KnownDocument, readPosition } from '../newest/position.ts'
import { bodyText } from './batch-encoder.ts'
import type { Action, GroupStep } from './actions.ts'
import type { NewestStep } from './operation-state.ts'
import { kept, type Outcome, rejected, toWritten, type WriteCode, written } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'

/** State of an atomic batch of a writer with `newest`. */
export interface NewestGroup {
  readonly parts: readonly PendingOperation[]
  readonly documents: readonly ChangedDocument[]
  /** Parts of the next request: one for each document to read, or the parts that are written. */
  elements: readonly PendingOperation[]
  isReading: boolean
  /** The fate of each part, in their order. */
  fates: readonly Fate[]
  /** Number of times that another write came between. */
  conflicts: number
  /** Time of the first conflict. */
  conflictMs: number
}

/** A document of the batch. */
interface ChangedDocument {
  /** Its parts, in the order of the batch. */
  readonly parts: readonly PendingOperation[]
  /** The stored document to compare its parts with; undefined until it is read. */
  base: Base | undefined
}

/** The document before the batch: as it was read, as this process has written it, not there, or not known at all. */
export type Base =
  | { readonly kind: 'stored'; readonly etag: string; readonly document: object }
  | ({ readonly kind: 'known' } & KnownDocument)
  | { readonly kind: 'absent' }
  | { readonly kind: 'assumedAbsent' }

/**
 * Fate of a part: it is sent; it is stored already; something newer is stored, or comes later in the batch; or it makes
 * the batch fail.
 */
export type Fate =
  | { readonly kind: 'send'; readonly step: NewestStep }
  | { readonly kind: 'ours' | 'kept' }
  | { readonly kind: 'refused'; readonly code: WriteCode }

export function createNewestGroup(parts: readonly PendingOperation[]): NewestGroup | undefined {
  if (parts[0].newest === undefined) return undefined
  const documents = new Map<string, PendingOperation[]>()
  for (const part of parts) documents.set(part.document, [...(documents.get(part.document) ?? []), part])
  return {
    parts,
    documents: [...documents.values()].map((own) => ({ parts: own, base: undefined })),
    elements: parts,
    isReading: false,
    fates: [],
    conflicts: 0,
    conflictMs: 0
  }
}

/**
 * The next step of a batch, as far as its documents are known. `isCertain`: they were read after the last conflict, with
 * a session token.
 */
export function planGroup(
  group: NewestGroup,
  bases: readonly (Base | undefined)[],
  rule: OrderRule,
  isCertain: boolean
): GroupStep {
  const fates = new Map<PendingOperation, Fate>()
  const found = group.documents.map(({ parts }, index) => {
    const own = planDocument(parts, bases[index], rule, isCertain)
    if (own === undefined) return undefined
    for (const [at, fate] of own.entries()) fates.set(parts[at], fate)
    return bases[index]
  })
  if (found.includes(undefined)) return { kind: 'read', bases: found }
  return { kind: 'write', bases: found, fates: group.parts.map((part) => fates.get(part)!) }
}

/** The fates of the changes of one document; undefined if it has to be read. */
function planDocument(
  parts: readonly PendingOperation[],
  base: Base | undefined,
  rule: OrderRule,
  isCertain: boolean
): readonly Fate[] | undefined {
  const fates: Fate[] = []
  let last: PendingOperation | undefined
  for (const part of parts) {
    const { patch } = part.newest!
    if (patch?.isContinued === true) {
      const before = fates.at(-1)!
      fates.push(before.kind === 'send' ? AFTER : before)
      continue
    }
    const fate =
      last === undefined
        ? askUnlessCertain(fateOfFirst(part, base, rule), part, isCertain)
        : fateOfLater(part, last, rule.ties)
    if (fate === undefined) return undefined
    // a whole document replaces the changes of the batch before it, and is sent as the first of them
    const replaced = fate.kind === 'send' && patch === undefined ? fates.find(isSent) : undefined
    if (replaced !== undefined) for (let at = 0; at < fates.length; at++) if (isSent(fates[at])) fates[at] = KEPT
    fates.push(replaced === undefined ? fate : replaced.step.phase === 'condition' ? CREATE : replaced)
    if (fate.kind === 'send') last = part
  }
  return fates
}

/** A read without a session token may be answered by a replica that is behind: then the answer to a write decides. */
function askUnlessCertain(fate: Fate | undefined, { newest }: PendingOperation, isCertain: boolean): Fate | undefined {
  if (isCertain || fate?.kind !== 'refused') return fate
  return newest!.patch === undefined ? CREATE : CONDITION
}

function isSent(fate: Fate): fate is Fate & { kind: 'send' } {
  return fate.kind === 'send'
}

/** The fate of a change that is compared with the stored document; undefined if it has to be read. */
function fateOfFirst(part: PendingOperation, base: Base | undefined, rule: OrderRule): Fate | undefined {
  const { position, patch } = part.newest!
  switch (base?.kind) {
    case undefined:
      return undefined
    case 'absent':
      return patch === undefined ? CREATE : MISSING
    case 'assumedAbsent':
      if (patch === undefined) return CREATE
      return patch.condition === undefined ? undefined : CONDITION
    case 'known': {
      const order = comparePositions(position, base.position)
      if (order === 'older' || order === 'same') return KEPT
      if (order === 'unknown' || (patch !== undefined && base.isMarker)) return undefined
      return { kind: 'send', step: { phase: 'replace', etag: base.etag } }
    }
    case 'stored':
      switch (judge(position, () => bodyText(part.body!), base.document, rule)) {
        case 'ours':
          return OURS
        case 'kept':
          return KEPT
        case 'reject':
          return UNKNOWN
        case 'replace':
          if (patch !== undefined && isMarker(base.document)) return MISSING
          return { kind: 'send', step: { phase: 'replace', etag: base.etag } }
      }
  }
}

/** The fate of a change that is compared with one of the same batch. */
function fateOfLater({ newest }: PendingOperation, { newest: earlier }: PendingOperation, ties: Ties): Fate {
  const order = comparePositions(newest!.position, earlier!.position)
  if (order === 'older' || order === 'same') return KEPT
  if (order === 'unknown' && ties !== 'last') return ties === 'first' ? KEPT : UNKNOWN
  return newest!.patch !== undefined && earlier!.isMarker ? MISSING : AFTER
}

const AFTER: Fate = { kind: 'send', step: { phase: 'after' } }
const CREATE: Fate = { kind: 'send', step: { phase: 'create', isConflict: false } }
const CONDITION: Fate = { kind: 'send', step: { phase: 'condition', isConflict: false } }
const OURS: Fate = { kind: 'ours' }
const KEPT: Fate = { kind: 'kept' }
const MISSING: Fate = { kind: 'refused', code: 'NOT_FOUND' }
const UNKNOWN: Fate = { kind: 'refused', code: 'ORDER_UNKNOWN' }

/** Outcomes of a batch of which nothing is sent; undefined if something is. */
export function outcomesWithoutWrite(fates: readonly Fate[]): readonly Outcome[] | undefined {
  const refused = fates.findIndex(({ kind }) => kind === 'refused')
  if (refused >= 0) {
    const { code } = fates[refused] as Fate & { kind: 'refused' }
    return fates.map((_, index) => (index === refused ? rejected(code) : rejected('BATCH_FAILED')))
  }
  return fates.some(({ kind }) => kind === 'send') ? undefined : fates.map((fate) => outcomeOf(fate, undefined))
}

/** Outcomes of a batch whose written parts have these answers. */
export function outcomesOfWrite(fates: readonly Fate[], answers: readonly OperationAnswer[]): readonly Outcome[] {
  let next = 0
  return fates.map((fate) => outcomeOf(fate, fate.kind === 'send' ? answers[next++] : undefined))
}

function outcomeOf({ kind }: Fate, answer: OperationAnswer | undefined): Outcome {
  if (answer !== undefined) return written(answer)
  return kind === 'ours' ? toWritten(200, 0, undefined) : kept(0)
}

/** The documents with the answers to their reads; undefined for one without an answer. */
export function basesAfterRead(
  { documents }: NewestGroup,
  answers: readonly OperationAnswer[]
): readonly (Base | undefined)[] {
  let next = 0
  return documents.map(({ base }) => base ?? baseOf(answers[next++]))
}

/** The document that a read has found; undefined if it has found out nothing. */
export function baseOf({ statusCode, subStatusCode = 0, resourceBody, eTag }: OperationAnswer): Base | undefined {
  if (statusCode === 404 && subStatusCode === 0) return { kind: 'absent' }
  if (statusCode !== 200 || typeof resourceBody !== 'object' || resourceBody === null) return undefined
  const etag = eTag ?? String((resourceBody as Record<string, unknown>)['_etag'])
  return { kind: 'stored', etag, document: resourceBody }
}

/** Remembers the documents of a batch after its parts were written (`answers`), or after nothing was written. */
export function knownActions(
  group: NewestGroup,
  answers: readonly OperationAnswer[],
  bases: readonly (Base | undefined)[],
  rule: OrderRule
): readonly Action[] {
  const sent = answers.length === 0 ? [] : group.elements
  return group.documents.flatMap(({ parts }, index): Action[] => {
    const last = sent.findLast((part) => parts.includes(part))
    const base = bases[index]
    if (last !== undefined) {
      const { position, isMarker: isOwnMarker } = last.newest!
      const etag = answers[sent.indexOf(last)].eTag
      return [{ kind: 'newestKnown', operation: last, etag, position, isMarker: isOwnMarker }]
    }
    if (base?.kind !== 'stored') return []
    const position = readPosition(base.document, rule)
    return [{ kind: 'newestKnown', operation: parts[0], etag: base.etag, position, isMarker: isMarker(base.document) }]
  })
}
