import { type Key, type KeyDefinition, type KeyValue, ownerOf, partitionHash, type Plan, rangesOf } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'

/** A decoded key: its parts, suffix, hash and physical partition. */
export function describeKey(plan: Plan, key: Key, locate: ReturnType<typeof createLocator>, asJson: boolean): string {
  const decoded = plan.decode(key)
  if (!decoded.ok) throw new UsageError(decoded.message)
  const location = locate({ key, values: (Array.isArray(key) ? key : [key]) as readonly KeyValue[] })
  const levels = decoded.levels.map(({ parts, slot, label, isCut }) => ({
    parts: parts.map(({ of, value }) => ({ of, value })),
    ...(slot === undefined ? {} : { suffix: label, slot }),
    ...(isCut ? { isCut } : {})
  }))
  if (asJson) return `${JSON.stringify({ ...location, version: decoded.version, levels })}\n`
  // the level of such a field keeps the type of its value
  const isOwn = (of: string): boolean => plan.partitionKey.paths.includes(of)
  const lines = levels.flatMap(({ parts, slot, suffix, isCut }) => [
    ...parts.map(({ of, value }) => `${of}  ${isOwn(of) ? typedText(value) : String(value)}`),
    ...(isCut === true ? ['the key was cut: it holds a hash of its parts'] : []),
    ...(slot === undefined ? [] : [`suffix  ${suffix}${slot === suffix ? '' : ` (slot ${slot})`}`])
  ])
  const range = location.range === undefined ? [] : [`range  ${location.range}`]
  return [...lines, `hash  ${location.epk}`, ...range].map((line) => `${line}\n`).join('')
}

function typedText(value: KeyValue): string {
  return value === null ? 'null' : `${JSON.stringify(value)} (${typeof value})`
}

/** Hash and physical partition of a key. */
export interface Location {
  readonly key: Key
  readonly values: readonly KeyValue[]
  /** The effective partition key in hex; for a prefix of a hierarchical key the common prefix of all keys below it. */
  readonly epk: string
  /** The physical partition, from 0 on, where the number of partitions is known. */
  readonly range?: number
  /** First and last physical partition, where a prefix of a hierarchical key is in several. */
  readonly ranges?: readonly [number, number]
}

/** Finds the physical partition of keys in a new container with `count` of them. */
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
    // no effective partition key begins with FF, so every key below this one is before it
    const last = isWhole ? first : Number(ownerOf(ranges, `${epk}FF`)?.id)
    return first === last ? { key, values, epk, range: first } : { key, values, epk, ranges: [first, last] }
  }
}
