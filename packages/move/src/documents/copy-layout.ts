import { type KeyComponent, KeystampError, PlanError, type PlanDefinition, type Splice } from '@keystamp/core'
import { formatPointer, parsePointer, type Pointer } from '@keystamp/core/internal'
import { DELETED } from '@keystamp/cosmos'
import { ABSENT, MemberScan } from '../json/member-scan.ts'
import type { Expiring, Rejected } from './document-mapper.ts'
import type { Identity } from './identity.ts'
import { type PlanBasis, readPlanBasis, type StampedMember } from './plan-basis.ts'
import type { StoredDocument } from './stored-document.ts'

/** A move, as far as it decides how documents change. Both directions need the same options. */
export interface CopyOptions {
  readonly plan: PlanDefinition
  /** Key paths of the source. */
  readonly sourceKeyPaths: readonly Pointer[]
  /**
   * `DefaultTimeToLive` of the source: seconds, or -1 if only documents with a member `ttl` expire; undefined if none
   * expires.
   */
  readonly sourceDefaultTtl: number | undefined
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl: 'remaining' | 'restart'
  /** JSON pointer of the member of the document that keeps the old id. Required if the plan makes new ids. */
  readonly keepIdIn?: string | undefined
}

/**
 * Member of a copy that says how to restore its original: for each changed member, by its JSON pointer, the value that
 * it had (`was`, absent if there was no such member) and, for `ttl`, the value that the copy got (`now`). Copies that
 * need no such entry do not have it.
 */
export const MARK = '_keystamp'

/** Members that Cosmos DB adds to every document. */
export const SYSTEM_MEMBERS: readonly string[] = ['_rid', '_self', '_etag', '_attachments', '_ts', '_lsn']

/** A member that a copy has with another value than its original. */
export interface ChangedMember {
  readonly pointer: Pointer
  /** Indexes for the scan: the member, its entry in the mark, and the values in the entry. */
  readonly at: number
  readonly entry: number
  readonly was: number
  readonly now: number
}

export interface StampedPlace extends ChangedMember, StampedMember {
  /** The objects around the member, the innermost one first. */
  readonly parents: readonly ChangedMember[]
}

/** The members of originals and copies that a move reads or changes, and a scan that finds them. */
export interface CopyLayout {
  readonly basis: PlanBasis
  readonly scan: MemberScan
  readonly system: readonly number[]
  readonly id: number
  readonly ttl: ChangedMember
  readonly mark: ChangedMember
  /** Index of the member that is `true` in the marker of a deleted document. */
  readonly deleted: number
  /** Undefined if documents keep their ids. */
  readonly keptId: ChangedMember | undefined
  readonly stamped: readonly StampedPlace[]
  /** Identity of the original of the copy that was scanned last. Undefined for a level that the original lacks. */
  readonly originalOf: (copy: StoredDocument) => Identity | undefined
}

/** Creates the layout. Throws a PlanError for a plan that a move cannot use. */
export function createCopyLayout({ plan, sourceKeyPaths, keepIdIn }: CopyOptions): CopyLayout {
  const basis = readPlanBasis(plan, sourceKeyPaths)
  const keptPointer = keptPointerOf(basis, keepIdIn)
  checkPaths(basis, sourceKeyPaths)
  const pointers: Pointer[] = []
  const indexes = new Map<string, number>()
  const indexOf = (pointer: Pointer): number => {
    const text = formatPointer(pointer)
    const known = indexes.get(text)
    if (known !== undefined) return known
    indexes.set(text, pointers.length)
    return pointers.push(pointer) - 1
  }
  const changed = (pointer: Pointer): ChangedMember => {
    const entry = [MARK, formatPointer(pointer)]
    return {
      pointer,
      at: indexOf(pointer),
      entry: indexOf(entry),
      was: indexOf([...entry, 'was']),
      now: indexOf([...entry, 'now'])
    }
  }
  const id = indexOf(['id'])
  const mark = changed([MARK])
  const deleted = indexOf([DELETED])
  const keptId = keptPointer && changed(keptPointer)
  const stamped = basis.stamped.map((member) => ({
    ...member,
    ...changed(member.pointer),
    parents: parentsOf(member.pointer).map(changed)
  }))
  const system = SYSTEM_MEMBERS.map((name) => indexOf([name]))
  const ttl = changed(['ttl'])
  const keys = sourceKeyPaths.map((pointer) => ({
    at: indexOf(pointer),
    member: stamped.find(({ at }) => at === indexOf(pointer))
  }))
  const scan = new MemberScan(pointers)
  return { basis, scan, id, system, ttl, mark, deleted, keptId, stamped, originalOf }

  function originalOf({ identity }: StoredDocument): Identity | undefined {
    const originalId = keptId === undefined ? identity.id : (idOf(scan.textOf(keptId.at)) ?? identity.id)
    const key: KeyComponent[] = []
    for (const { at, member } of keys) {
      const text =
        at === id ? JSON.stringify(originalId) : member === undefined ? scan.textOf(at) : originalTextOf(scan, member)
      const value: unknown = text === undefined ? undefined : JSON.parse(text)
      if (typeof value === 'object' && value !== null) return undefined
      key.push(value as KeyComponent)
    }
    return { key, id: originalId }
  }
}

/**
 * JSON pointers of the members in which a copy may differ from its original, other than `ttl` and system properties: a
 * comparison leaves them out.
 */
export function changedPointers(options: CopyOptions): readonly string[] {
  const { stamped, keptId, mark } = createCopyLayout(options)
  const ids = keptId === undefined ? [] : [formatPointer(keptId.pointer), '/id']
  return [...stamped.filter(({ isUnchanged }) => !isUnchanged), mark]
    .map(({ pointer }) => formatPointer(pointer))
    .concat(ids)
}

/** Whether the document that was scanned last is the marker of a deleted document. */
export function isMarkerOf({ scan, deleted }: CopyLayout): boolean {
  return scan.starts[deleted] !== ABSENT && scan.textOf(deleted) === 'true'
}

/** Outcome for a document that is not copied. */
export const EXPIRING: Expiring = { kind: 'expiring' }

/** Rejection of a document that `scan` cannot read. */
export const REPEATED: Rejected = {
  kind: 'rejected',
  code: 'JSON_INVALID',
  message: 'The document has a member twice that the move reads or changes: write it with one of them.'
}

/** Sorts splices by position, in their array; insertions at one position stay in their order. */
export function orderSplices(splices: Splice[]): readonly Splice[] {
  // there are few, and nearly always they are in order already
  for (let next = 1; next < splices.length; next++) {
    const splice = splices[next]
    let at = next
    for (; at > 0 && splices[at - 1].at > splice.at; at--) splices[at] = splices[at - 1]
    splices[at] = splice
  }
  return splices
}

/** JSON that the original had for a stamped member; undefined if it had none. */
function originalTextOf(scan: MemberScan, { at, entry, was, isOwnField }: StampedPlace): string | undefined {
  return scan.starts[entry] === ABSENT && isOwnField ? scan.textOf(at) : scan.textOf(was)
}

function idOf(text: string | undefined): string | undefined {
  const value: unknown = text === undefined ? undefined : JSON.parse(text)
  return typeof value === 'string' ? value : undefined
}

function parentsOf(pointer: Pointer): readonly Pointer[] {
  return pointer.slice(1).map((_, index) => pointer.slice(0, pointer.length - 1 - index))
}

function keptPointerOf({ makesIds, stamped }: PlanBasis, keepIdIn: string | undefined): Pointer | undefined {
  if (!makesIds) return undefined
  if (keepIdIn === undefined)
    throw new PlanError([
      {
        path: '/id',
        message:
          'makes new ids, so name a member that keeps the old one, such as "/oldId": without it, a copy cannot be found by its original'
      }
    ])
  const pointer = parsePointer(keepIdIn)
  const isFree =
    pointer?.length === 1 &&
    pointer[0] !== '' &&
    !RESERVED.has(pointer[0]) &&
    stamped.every((member) => member.pointer[0] !== pointer[0])
  if (!isFree)
    throw new KeystampError(
      'OPTION_INVALID',
      `The old id cannot be kept in ${JSON.stringify(keepIdIn)}: name a member of the document that the plan does not write, such as "/oldId".`
    )
  return pointer
}

const RESERVED = new Set(['id', 'ttl', MARK, ...SYSTEM_MEMBERS])

function checkPaths({ stamped }: PlanBasis, sourceKeyPaths: readonly Pointer[]): void {
  const mistakes = stamped.flatMap(({ pointer }) => {
    const into = formatPointer(pointer)
    const hidden = sourceKeyPaths.filter(
      (path) => path.length > pointer.length && pointer.every((name, at) => name === path[at])
    )
    if (RESERVED.has(pointer[0]))
      return [{ path: '/into', message: `is ${into}, which Cosmos DB or the move uses itself: choose another path` }]
    return hidden.map((path) => ({
      path: '/into',
      message: `is ${into}, which would replace ${formatPointer(path)}, a key of the source: choose another path`
    }))
  })
  if (mistakes.length > 0) throw new PlanError(mistakes)
}
