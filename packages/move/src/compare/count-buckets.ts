import { KeystampError } from '@keystamp/core'
import { type BucketDigests, createBucketDigests } from '../digest/bucket-digests.ts'
import { BUCKETS, bucketOf } from '../digest/identity-hash.ts'
import { CONTENT, type PageDigest, PLACE } from '../digest/page-digest.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { ComparedSide } from './compared-side.ts'

/** Result of reading both containers once. */
export interface CountedBuckets {
  /** Buckets whose documents must be compared one by one, in order. */
  readonly differing: readonly number[]
  /** Documents of a bucket in the container that has more of them. */
  readonly sizeOf: (bucket: number) => number
  /** Versions of documents that were read. */
  readonly compared: { readonly source: number; readonly target: number }
}

export interface CountOptions {
  readonly source: ComparedSide
  readonly target: ComparedSide
  /** The fields of an identity. */
  readonly fields: readonly string[]
  readonly onDocument: () => void
}

/** Documents without the fields of their identity after which the comparison ends early. */
const MAX_LACKING = 1000

/**
 * Reads both containers, and finds the buckets that may differ. A bucket with a document that changes meanwhile is one
 * of them: the sums have all its versions, so they cannot tell which one was the last.
 */
export async function countBuckets(options: CountOptions): Promise<CountedBuckets> {
  const { source, target } = options
  const changed = new Uint8Array(BUCKETS)
  const counts = { source: new SideCount(), target: new SideCount() }
  const stopsEarly = (): void => throwIfLacking(counts, options, MAX_LACKING)
  await Promise.all([source.scan.mark(), target.scan.mark()])
  // the source goes on alone when the target was read, and the other way round
  await Promise.all([
    readSide(source, counts.source, { onDocument: options.onDocument, check: () => {} }),
    readSide(target, counts.target, { onDocument: options.onDocument, check: stopsEarly })
  ])
  throwIfLacking(counts, options, 1)
  await Promise.all([readChanged(source, changed), readChanged(target, changed)])
  const [one, two] = [counts.source.digests, counts.target.digests]
  const differing = one.differing(two)
  for (const bucket of differing) changed[bucket] = 1
  return {
    differing: Array.from(changed.keys()).filter((bucket) => changed[bucket] === 1),
    sizeOf: (bucket) => Math.max(one.countOf(bucket), two.countOf(bucket)),
    compared: { source: counts.source.documents, target: counts.target.documents }
  }
}

/** Sums and counts of the documents that were read of one container. */
class SideCount {
  readonly digests: BucketDigests = createBucketDigests()
  documents = 0
  /** Documents without any field of an identity. */
  lacking = 0
}

interface ReadSideOptions {
  readonly onDocument: () => void
  readonly check: () => void
}

function readSide(
  { scan, hash: hashOf, digest, createPage }: ComparedSide,
  count: SideCount,
  { onDocument, check }: ReadSideOptions
): Promise<void> {
  const [hash, content] = [new Int32Array(4), new Int32Array(4)]
  return createPage === undefined ? scan.readAll(take) : scan.digestAll(createPage, takePage, take)

  function takePage(page: PageDigest): void {
    const { words, size } = page
    for (let index = 0; index < size; index++) {
      const at = page.at(index)
      count.documents++
      if (!page.hasKey(index)) {
        count.lacking++
        check()
      }
      count.digests.addFrom(words, at + PLACE, at + CONTENT)
      onDocument()
    }
  }

  function take(document: StoredDocument): void {
    count.documents++
    if (!hashOf(document, hash)) {
      count.lacking++
      check()
    }
    digest(document, content)
    count.digests.add(hash, content)
    onDocument()
  }
}

/** Notes the buckets of documents that have changed since the containers were read. */
function readChanged({ scan, hash: hashOf }: ComparedSide, changed: Uint8Array): Promise<void> {
  const hash = new Int32Array(4)
  return scan.readSinceMark((document) => {
    hashOf(document, hash)
    changed[bucketOf(hash)] = 1
  })
}

/** Refuses containers whose documents cannot be matched at all. */
function throwIfLacking(
  counts: { readonly source: SideCount; readonly target: SideCount },
  { source, target, fields }: CountOptions,
  atLeast: number
): void {
  for (const [side, other] of [
    [counts.target, counts.source],
    [counts.source, counts.target]
  ]) {
    const hasNone = side.lacking >= atLeast && side.lacking === side.documents
    // an empty container does not tell whether its documents would have the fields
    if (!hasNone || other.lacking === other.documents) continue
    const { name } = side === counts.target ? target.container : source.container
    throw new KeystampError(
      'DOCUMENTS_UNMATCHED',
      `The documents of ${name} do not have ${listOf(fields)}, so nothing tells which documents belong together. Name the fields that do with \`by\`, such as /tenant,/id.`
    )
  }
}

function listOf(fields: readonly string[]): string {
  const last = fields.at(-1)
  return fields.length === 1 ? `the field ${last}` : `any of the fields ${fields.slice(0, -1).join(', ')} and ${last}`
}
