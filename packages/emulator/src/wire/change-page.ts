import type { PageSize } from './feed-page.ts'

/** A page of changes. */
export interface ChangePage<Change> {
  /** The changes in the order in which the page has them. */
  readonly changes: readonly Change[]
  /** The change with the highest position; undefined if the page is empty. */
  readonly last: Change | undefined
  /** Whether no more changes follow. */
  readonly isAtEnd: boolean
}

/** The documents of a page as JSON, and the ETag at which the next read resumes. */
export interface ChangeTexts {
  readonly texts: readonly string[]
  readonly etag: string
}

/** How a page reads its changes. */
export interface ChangeTraits<Change> {
  readonly bytes: (change: Change) => number
  /** A number that identifies the change in its container. */
  readonly number: (change: Change) => number
  /** Whether two changes belong to the same bulk request or atomic batch. */
  readonly isSameRequest: (a: Change, b: Change) => boolean
}

/**
 * Fills a page. A page never splits the changes of one bulk request or atomic batch, and has them in any order, as in
 * the service: in an order that depends only on the changes, so that a repeated read returns the same page.
 */
export function fillPage<Change>(
  changes: Iterable<Change>,
  size: PageSize,
  traits: ChangeTraits<Change>
): ChangePage<Change> {
  const groups: Change[][] = []
  let last: Change | undefined = undefined
  let count = 0
  let bytes = 0
  let isAtEnd = true
  for (const change of changes) {
    const isSame = last !== undefined && traits.isSameRequest(last, change)
    if (!isSame && (count >= size.items || bytes >= size.bytes)) {
      isAtEnd = false
      break
    }
    if (isSame) groups.at(-1)!.push(change)
    else groups.push([change])
    last = change
    count += 1
    bytes += traits.bytes(change)
  }
  return { changes: groups.flatMap((group) => scatter(group, traits.number)), last, isAtEnd }
}

function scatter<Change>(group: readonly Change[], numberOf: (change: Change) => number): readonly Change[] {
  if (group.length === 1) return group
  const keyed = group.map((change) => ({ change, key: mix(numberOf(change)) }))
  return keyed.toSorted((a, b) => a.key - b.key).map(({ change }) => change)
}

// the finalizer of MurmurHash3, which maps consecutive numbers to numbers in no apparent order
function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
