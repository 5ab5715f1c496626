import type { MoveContainer, WriteAnswer } from '../containers/move-container.ts'
import type { DocumentMapper, MappedDocument } from '../documents/document-mapper.ts'
import { type Identity, isSameIdentity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { Difference } from './difference.ts'

export interface RepairOptions {
  readonly source: MoveContainer
  readonly target: MoveContainer
  /** Makes the copies. Undefined if nothing tells their keys. */
  readonly mapper: Pick<DocumentMapper, 'map'> | undefined
  /** Place in the source of the document with an identity; undefined if the identity does not tell it. */
  readonly sourceOf: (identity: Identity) => Identity | undefined
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/**
 * `repaired`: the difference is gone. `changed`: a document is another one than was shown, so nothing was written, or
 * the copy that was written may be old. `impossible`: no copy can be made.
 */
export type RepairOutcome =
  | { readonly kind: 'repaired' | 'changed'; readonly chargeRu: number }
  | { readonly kind: 'impossible'; readonly reason: string; readonly chargeRu: number }

/**
 * Repairs one difference in the target. Writes only if both documents are still the versions that were shown: every
 * write is a create, or names the ETag that was shown.
 */
export async function repair(difference: Difference, options: RepairOptions): Promise<RepairOutcome> {
  const { source, target } = options
  if (difference.kind === 'extra') return removeExtra(difference, options)
  const document = await readShown(source, difference.source)
  if (document === undefined) return changed(0)
  const copy = copyOf(document, options)
  if (typeof copy === 'string') return impossible(copy)
  const stored = await store(difference, copy, target)
  if (stored.kind === 'rejected') return impossible(stored.message, stored.chargeRu)
  if (stored.kind !== 'done') return changed(stored.chargeRu)
  const { chargeRu } = stored
  if (!(await isCurrent(document, source))) return undo(difference, copy, stored.etag, options, chargeRu)
  if (difference.kind !== 'misplaced') return { kind: 'repaired', chargeRu }
  const removed = await remove(difference, target)
  return { kind: removed.kind === 'done' ? 'repaired' : 'changed', chargeRu: chargeRu + removed.chargeRu }
}

/** Deletes a copy that should not be there, after the source was read. */
async function removeExtra(
  difference: Difference,
  { source, target, sourceOf }: RepairOptions
): Promise<RepairOutcome> {
  const { planned, copy } = difference
  if (difference.source === undefined) {
    const place = sourceOf(difference.identity)
    if (place === undefined) return impossible('Nothing tells where the first container would have this document.')
    if ((await source.read(place)) !== undefined) return changed(0)
  } else {
    // a second copy: the first one must still be there
    if ((await readShown(source, difference.source)) === undefined) return changed(0)
    if (planned !== undefined && isSameIdentity(planned, copy!.place)) return changed(0)
    const known = planned === undefined ? difference.places : [...difference.places, planned]
    const others = known.filter((place) => !isSameIdentity(place, copy!.place))
    const found = await Promise.all(others.map((place) => target.read(place)))
    if (found.every((other) => other === undefined)) return changed(0)
  }
  const removed = await remove(difference, target)
  return { kind: removed.kind === 'done' ? 'repaired' : 'changed', chargeRu: removed.chargeRu }
}

function copyOf(document: StoredDocument, { mapper, wallMs }: RepairOptions): MappedDocument | string {
  if (mapper === undefined) return 'Nothing tells the key of the copy: name the plan.'
  const mapped = mapper.map(document, wallMs())
  if (mapped.kind === 'mapped') return mapped
  return mapped.kind === 'rejected' ? mapped.message : 'The document expires soon.'
}

function store({ kind, copy }: Difference, document: MappedDocument, target: MoveContainer): Promise<WriteAnswer> {
  if (kind !== 'different') return target.write({ kind: 'create', document })
  return target.write({ kind: 'replace', document, ifMatch: copy!.etag })
}

function remove({ copy }: Difference, target: MoveContainer): Promise<WriteAnswer> {
  return target.write({ kind: 'delete', identity: copy!.place, ifMatch: copy!.etag })
}

/** The document, if it is still the version that was shown. */
async function readShown(container: MoveContainer, shown: Difference['source']): Promise<StoredDocument | undefined> {
  const document = shown === undefined ? undefined : await container.read(shown.place)
  return document?.etag === shown?.etag ? document : undefined
}

async function isCurrent(document: StoredDocument, source: MoveContainer): Promise<boolean> {
  return (await source.read(document.identity))?.etag === document.etag
}

/** The source changed during the write. A copy of a document that is deleted now must not stay. */
async function undo(
  { kind }: Difference,
  { identity }: MappedDocument,
  etag: string | undefined,
  { target }: RepairOptions,
  chargeRu: number
): Promise<RepairOutcome> {
  if (kind === 'different' || etag === undefined) return changed(chargeRu)
  const removed = await target.write({ kind: 'delete', identity, ifMatch: etag })
  return changed(chargeRu + removed.chargeRu)
}

function impossible(reason: string, chargeRu: number = 0): RepairOutcome {
  return { kind: 'impossible', reason, chargeRu }
}

function changed(chargeRu: number): RepairOutcome {
  return { kind: 'changed', chargeRu }
}
