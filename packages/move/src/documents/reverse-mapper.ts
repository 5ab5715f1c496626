import { createPlan, type KeyValue, type Splice } from '@keystamp/core'
import { formatPointer, type Pointer } from '@keystamp/core/internal'
import { ABSENT } from '../json/member-scan.ts'
import {
  type ChangedMember,
  type CopyLayout,
  type CopyOptions,
  createCopyLayout,
  EXPIRING,
  isMarkerOf,
  orderSplices,
  REPEATED
} from './copy-layout.ts'
import type { DocumentMapper, Expiring, MappedDocument, Rejected } from './document-mapper.ts'
import { type Identity, isSameIdentity } from './identity.ts'
import { createOriginalPlace } from './original-place.ts'
import type { StoredDocument } from './stored-document.ts'

/**
 * Creates the mapper from the target back to the source, under the old key: restores what the mapper of the other
 * direction changed. A document that an application wrote without the fields of the old key is rejected. Throws a
 * PlanError for a plan that a move cannot use.
 */
export function createReverseMapper(options: CopyOptions): DocumentMapper {
  const plan = createPlan(options.plan)
  const layout = createCopyLayout(options)
  const { sourceKeyPaths } = options
  const place = createOriginalPlace(options, layout)
  return { basis: place === undefined ? 'fields' : 'identity', map, targetOf: place ?? NO_PLACE, sourceOf }

  function map(copy: StoredDocument): MappedDocument | Expiring | Rejected {
    const { bytes, start, end } = copy
    if (!layout.scan.scan(bytes, start, end)) return REPEATED
    if (isMarkerOf(layout)) return EXPIRING
    const identity = layout.originalOf(copy)
    if (identity === undefined)
      return reject('FIELD_WRONG_TYPE', 'A field of the old key is an object or an array', sourceKeyPaths)
    const missing = sourceKeyPaths.filter((_, level) => identity.key[level] === undefined)
    if (missing.length > 0) return reject('FIELD_MISSING', 'A field of the old key is missing', missing)
    // after a delete of the copy, only the new key is known
    const known = place?.(copy.identity)
    if (known !== undefined && ('kind' in known || !isSameIdentity(known, identity)))
      return reject('KEY_DIFFERS', 'The new key does not have the values of the fields of the old key', sourceKeyPaths)
    const values = identity.key as readonly KeyValue[]
    const splices = restore(layout, identity.id)
    return {
      kind: 'mapped',
      identity,
      stamped: { ok: true, bytes, start, end, splices, values, id: identity.id, version: 0 }
    }
  }

  function sourceOf({ bytes, start, end, identity }: StoredDocument): Identity | undefined {
    const stamped = plan.stampBytes(bytes, undefined, start, end)
    return stamped.ok ? { key: stamped.values, id: stamped.id ?? identity.id } : undefined
  }
}

const NO_PLACE = (): Rejected => ({
  kind: 'rejected',
  code: 'PARTS_MISSING',
  message: 'The old key does not follow from the new key and id.'
})

function reject(code: string, what: string, pointers: readonly Pointer[]): Rejected {
  const fields = pointers.map(formatPointer).join(', ')
  const message = `${what}: ${fields}. The container with the old key cannot store this document as it stored the others: write the field, or delete the document.`
  return { kind: 'rejected', code, message }
}

/** Splices that restore the original of the copy that was scanned last. */
function restore(layout: CopyLayout, originalId: string): readonly Splice[] {
  const { scan, system, id, ttl, mark, keptId, stamped } = layout
  const { starts, ends } = scan
  const removed = [...system]
  const splices: Splice[] = []
  const undo = (member: ChangedMember): void => {
    const was = scan.textOf(member.was)
    if (was === undefined) removed.push(member.at)
    else splices.push({ at: starts[member.at], end: ends[member.at], before: was, value: undefined })
  }
  // a ttl that an application has set stays
  if (isPresent(ttl.entry) && scan.textOf(ttl.at) === scan.textOf(ttl.now)) undo(ttl)
  if (keptId !== undefined && scan.textOf(keptId.at) === JSON.stringify(originalId)) {
    undo(keptId)
    splices.push({ at: starts[id], end: ends[id], before: '', value: originalId })
  }
  // an application may have a member of this name, too
  if (isPresent(mark.at) && scan.sizes[mark.at] !== ABSENT) undo(mark)
  for (const member of stamped)
    if (isPresent(member.at) && (isPresent(member.entry) || !member.isOwnField)) undo(member)
  return orderSplices([...splices, ...scan.cutsOf([...removed, ...emptied(layout, removed)])])

  function isPresent(index: number): boolean {
    return starts[index] !== ABSENT
  }
}

/** Objects that have no members but removed ones, unless the original had them without members. */
function emptied({ scan, stamped }: CopyLayout, removed: readonly number[]): readonly number[] {
  const gone = new Set(removed)
  const sizes = new Map<number, number>()
  for (const { at, parents } of stamped) {
    let child = at
    for (const parent of parents) {
      if (!gone.has(child)) break
      const size = (sizes.get(parent.at) ?? scan.sizes[parent.at]) - 1
      sizes.set(parent.at, size)
      if (size > 0 || scan.starts[parent.entry] !== ABSENT) break
      gone.add(parent.at)
      child = parent.at
    }
  }
  return [...gone].slice(removed.length)
}
