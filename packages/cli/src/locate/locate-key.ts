import { type KeyDefinition, type Key, type KeyValue, ownerOf, partitionHash, rangesOf } from '@keystamp/core'

/** Where a key lies. */
export interface Location {
  readonly key: Key
  readonly values: readonly KeyValue[]
  /** The effective partition key, in hex; of a beginning of a hierarchical key what all keys below it begin with. */
  readonly epk: string
  /** The physical partition, from 0 on, where their number is given. */
  readonly range?: number
  /** First and last, where a beginning of a hierarchical key lies in several. */
  readonly ranges?: readonly [number, number]
}

/** Answers where a key lies in a new container with so many physical partitions. */
export function createLocator(
  definition: KeyDefinition,
  count: number | undefined
): (found: { readonly key: Key; readonly values: readonly KeyValue[] }) => Location {
  const ranges = count === undefined ? undefined : rangesOf(count, definition)
  return ({ key, values }) => {
    const epk = partitionHash(values, definition)
    if (ranges === undefined) return { key, values, epk }
    const first = Number(ownerOf(ranges, epk)?.id)
    const isWhole = values.length === (definition.paths?.length ?? 1)
    // no effective partition key reaches FF, so nothing below this one lies behind it
    const last = isWhole ? first : Number(ownerOf(ranges, `${epk}FF`)?.id)
    return first === last ? { key, values, epk, range: first } : { key, values, epk, ranges: [first, last] }
  }
}
