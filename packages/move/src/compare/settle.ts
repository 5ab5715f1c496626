import { type Clock, waitFor } from '@keystamp/core/internal'
import { hexOf } from '../digest/hash-state.ts'
import { hashIdentity } from '../digest/identity-hash.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { ComparedSide } from './compared-side.ts'
import type { Difference, Unsettled } from './difference.ts'
import type { DocumentMatching } from './document-matching.ts'
import { judge } from './judge.ts'
import type { Suspect } from './open-buckets.ts'

export interface SettleOptions {
  readonly source: ComparedSide
  readonly target: ComparedSide
  readonly matching: DocumentMatching
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Time for which a document of the source must not change. */
  readonly settleMs: number
  /** Settle times after which a document that is not settled is given up. */
  readonly tries: number
  /** Documents that are read at the same time. */
  readonly maxReads: number
  /** Called before each wait, with the number of documents that are not settled. */
  readonly onWait: (open: number) => void
}

export interface Settled {
  readonly differences: readonly Difference[]
  readonly unsettled: readonly Unsettled[]
}

/** A document that is read again and again, until it is equal or the source stands still. */
interface Case {
  readonly document: string
  /** Undefined until a version of it was read. */
  identity: Identity | undefined
  readonly sources: Map<string, Identity>
  readonly targets: Map<string, Identity>
  readonly source: Stillness
  readonly target: Stillness
}

/** The ETags of a document in one container at the last read, and how many reads before had the same ones. */
interface Stillness {
  etags: string | undefined
  reads: number
}

/**
 * Reads in one settle time. ETags do not tell whether a document was created and deleted between two reads, so it is
 * read once more in between.
 */
const READS = 2

/**
 * Reads suspects until each of them is equal or settled: a difference counts if the source did not change over
 * `settleMs`, and the target still differs after that time. So it does not depend on how fast copies follow, as long as
 * they need less than this time.
 */
export async function settle(suspects: readonly Suspect[], options: SettleOptions): Promise<Settled> {
  const { clock, signal, settleMs, tries, onWait } = options
  const differences: Difference[] = []
  const unsettled: Unsettled[] = []
  const open = new Map(suspects.map((suspect) => [suspect.document, caseOf(suspect)]))
  const lastAttempt = tries * READS
  for (let attempt = 0; ; attempt++) {
    await follow(open, options)
    await readInTurn([...open.values()], options, async (each) => {
      const found = await readCase(each, options, attempt === lastAttempt)
      if (found === 'again') return
      open.delete(each.document)
      if (found === 'ambiguous') unsettled.push(toUnsettled(each, found))
      else differences.push(...found)
    })
    if (open.size === 0 || attempt === lastAttempt) break
    onWait(open.size)
    await waitFor(settleMs / READS, clock, signal)
  }
  unsettled.push(...[...open.values()].map((each) => toUnsettled(each, 'changing')))
  return { differences, unsettled }
}

function caseOf({ document, sources, targets }: Suspect): Case {
  return {
    document,
    identity: undefined,
    sources: byText(sources),
    targets: byText(targets),
    source: { etags: undefined, reads: 0 },
    target: { etags: undefined, reads: 0 }
  }
}

function byText(places: readonly Identity[]): Map<string, Identity> {
  return new Map(places.map((place) => [identityText(place), place]))
}

function toUnsettled({ document, identity, targets }: Case, reason: Unsettled['reason']): Unsettled {
  return { reason, document, identity: identity!, places: [...targets.values()] }
}

/** Finds the places of versions that were written since the last read: reads of places would not find these. */
async function follow(open: ReadonlyMap<string, Case>, { source, target }: SettleOptions): Promise<void> {
  const hash = new Int32Array(4)
  const follower =
    ({ hash: hashOf }: ComparedSide, name: 'sources' | 'targets') =>
    (document: StoredDocument): void => {
      hashOf(document, hash)
      open.get(hexOf(hash))?.[name].set(identityText(document.identity), document.identity)
    }
  await Promise.all([
    source.scan.readChanges(follower(source, 'sources')),
    target.scan.readChanges(follower(target, 'targets'))
  ])
}

async function readInTurn(
  cases: readonly Case[],
  { maxReads, signal }: SettleOptions,
  read: (each: Case) => Promise<void>
): Promise<void> {
  let next = 0
  const workers = Array.from({ length: Math.min(maxReads, cases.length) }, async () => {
    while (next < cases.length) {
      signal.throwIfAborted()
      await read(cases[next++])
    }
  })
  for (const result of await Promise.allSettled(workers)) if (result.status === 'rejected') throw result.reason
}

/**
 * Reads a document on both sides. Returns its differences if they count. A copy that changes while the source stands
 * still was perhaps written before the source, so it is read again; but a copy that never stops changing is different.
 */
async function readCase(
  each: Case,
  options: SettleOptions,
  isLast: boolean
): Promise<readonly Difference[] | 'again' | 'ambiguous'> {
  const { source, target, matching } = options
  // before the source: if the source has not changed until after this read, the copy should be there
  const copies = await readPlaces(each, target, each.targets, options)
  addPlace(each.sources, each.identity === undefined ? undefined : matching.sourceOf(each.identity))
  const documents = await readPlaces(each, source, each.sources, options)
  const isStill = stays(each.source, documents)
  if (documents.length > 1) return isStill ? 'ambiguous' : 'again'
  const [document] = documents
  if (document === undefined && copies.length === 0) return []
  const expected = document === undefined ? undefined : matching.copyOf(document)
  // the earlier reads did not include this place
  if (addPlace(each.targets, expected?.kind === 'at' ? expected.place : undefined)) each.target.etags = undefined
  const isCopyStill = stays(each.target, copies)
  const differences = judge({
    document: each.document,
    // one of the containers has a version of it, so it is known
    identity: each.identity!,
    source: document,
    expected,
    copies,
    hasEqualContent: (copy) => hasEqualContent(document, copy, options)
  })
  const isSettled = isStill && (isCopyStill || (isLast && document !== undefined))
  return differences.length === 0 || isSettled ? differences : 'again'
}

/** Whether the documents have not changed over the settle time. */
function stays(stillness: Stillness, documents: readonly StoredDocument[]): boolean {
  const etags = documents.map(({ etag }) => etag).join()
  stillness.reads = etags === stillness.etags ? stillness.reads + 1 : 0
  stillness.etags = etags
  return stillness.reads >= READS
}

/** Adds a place, if there is one. Returns whether it is new. */
function addPlace(places: Map<string, Identity>, place: Identity | undefined): boolean {
  if (place === undefined) return false
  const text = identityText(place)
  if (places.has(text)) return false
  places.set(text, place)
  return true
}

/** The documents at some places that have the identity. */
async function readPlaces(
  each: Case,
  { container, scan, identify }: ComparedSide,
  places: ReadonlyMap<string, Identity>,
  { signal }: SettleOptions
): Promise<readonly StoredDocument[]> {
  const read = await Promise.all(
    [...places.values()].map((place) => container.read(place, { sessionToken: scan.sessionTokenOf(place), signal }))
  )
  const hash = new Int32Array(4)
  return read.filter((document): document is StoredDocument => {
    if (document === undefined) return false
    const identity = identify(document)
    hashIdentity(identity, hash)
    if (hexOf(hash) !== each.document) return false
    each.identity = identity
    return true
  })
}

function hasEqualContent(
  document: StoredDocument,
  copy: StoredDocument,
  { source, target }: Pick<SettleOptions, 'source' | 'target'>
): boolean {
  const [one, other] = [new Int32Array(4), new Int32Array(4)]
  source.content(document, one)
  target.content(copy, other)
  return one.every((word, index) => word === other[index])
}
