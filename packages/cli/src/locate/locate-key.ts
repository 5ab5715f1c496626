import { type Key, type KeyDefinition, type KeyValue, ownerOf, partitionHash, type Plan, rangesOf } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'

/** A key taken apart: what it was made of, its suffix, its hash and range. */
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
  // such a level holds the value of the field as it is, with its type
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
