import type { Words128 } from '../digest/hash-state.ts'
import { hexOf } from '../digest/hash-state.ts'
import { BUCKETS, bucketOf } from '../digest/identity-hash.ts'
import type { Identity } from '../documents/identity.ts'
import type { ComparedSide } from './compared-side.ts'
import type { CountedBuckets } from './count-buckets.ts'
import { PlaceTable } from './place-table.ts'

/** A document that was not equal when both containers were read: perhaps only because it changed meanwhile. */
export interface Suspect {
  /** Hash of the identity, 32 hexadecimal digits. */
  readonly document: string
  /** Places at which versions of it were found. */
  readonly sources: readonly Identity[]
  readonly targets: readonly Identity[]
}

/** Divides differing buckets into groups of at most `maxDocuments` documents; a larger bucket is a group of its own. */
export function groupBuckets(
  { differing, sizeOf }: Pick<CountedBuckets, 'differing' | 'sizeOf'>,
  maxDocuments: number
): readonly (readonly number[])[] {
  const groups: number[][] = []
  let documents = Number.POSITIVE_INFINITY
  for (const bucket of differing) {
    documents += sizeOf(bucket)
    if (documents > maxDocuments) {
      groups.push([])
      documents = sizeOf(bucket)
    }
    groups.at(-1)!.push(bucket)
  }
  return groups
}

export interface OpenOptions {
  readonly source: ComparedSide
  readonly target: ComparedSide
  readonly sizeOf: CountedBuckets['sizeOf']
  readonly onDocument: () => void
}

/** Reads both containers again, and finds the documents of some buckets that are not equal. */
export async function openBuckets(
  buckets: readonly number[],
  { source, target, sizeOf, onDocument }: OpenOptions
): Promise<readonly Suspect[]> {
  const isOpen = new Uint8Array(BUCKETS)
  for (const bucket of buckets) isOpen[bucket] = 1
  const expected = buckets.reduce((sum, bucket) => sum + sizeOf(bucket), 0)
  const sides = [source, target].map((side) => {
    const table = new PlaceTable(expected)
    return { side, table, take: takeInto(table, side, isOpen, onDocument) }
  })
  await Promise.all(sides.map(({ side, take }) => side.scan.readAll(take)))
  // one container was read later than the other one: what has changed since makes them look different
  await Promise.all(sides.map(({ side, take }) => side.scan.readChanges(take)))
  const [{ table: sources }, { table: targets }] = sides
  return suspectsOf(sources, targets)
}

function takeInto(
  table: PlaceTable,
  { hash: hashOf, digest }: ComparedSide,
  isOpen: Uint8Array,
  onDocument: () => void
): Parameters<ComparedSide['scan']['readAll']>[0] {
  const [hash, content] = [new Int32Array(4), new Int32Array(4)]
  return (document) => {
    onDocument()
    hashOf(document, hash)
    if (isOpen[bucketOf(hash)] === 0) return
    digest(document, content)
    table.put(hash, document.identity, content)
  }
}

function suspectsOf(sources: PlaceTable, targets: PlaceTable): readonly Suspect[] {
  const suspects: Suspect[] = []
  sources.forEach((slot) => {
    const { words } = sources
    const copy = targets.first(words, sources.identityAt(slot))
    const isOne = sources.next(slot) < 0 && copy >= 0 && targets.next(copy) < 0
    if (isOne && sources.hasSameContent(slot, targets, copy)) return
    suspects.push({
      document: hexAt(words, sources.identityAt(slot)),
      sources: placesFrom(sources, slot),
      targets: placesFrom(targets, copy)
    })
  })
  targets.forEach((slot) => {
    const { words } = targets
    if (sources.first(words, targets.identityAt(slot)) >= 0) return
    const document = hexAt(words, targets.identityAt(slot))
    suspects.push({ document, sources: [], targets: placesFrom(targets, slot) })
  })
  return suspects
}

function placesFrom(table: PlaceTable, first: number): readonly Identity[] {
  const places: Identity[] = []
  for (let slot = first; slot >= 0; slot = table.next(slot)) places.push(table.placeOf(slot))
  return places
}

function hexAt(words: Words128, at: number): string {
  return hexOf(words.subarray(at, at + 4))
}
