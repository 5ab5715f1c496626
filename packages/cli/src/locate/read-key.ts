import {
  type Key,
  type KeyDefinition,
  type KeyValue,
  ownerOf,
  partitionHash,
  type Plan,
  rangesOf
} from '@keystamp/core'
import { UsageError } from '../exit-codes.ts'

/** Parses `--key`: as a string if the plan can make that string, else as a number or boolean. */
export function readKey(plan: Plan, text: string): Key {
  const { length } = plan.partitionKey.paths
  if (text.startsWith('[')) return toKey(parseLevels(text, length), length)
  const asText = toKey([text], length)
  const scalar = parseScalar(text)
  if (scalar === undefined || plan.decode(asText).ok) return asText
  const asScalar = toKey([scalar], length)
  return plan.decode(asScalar).ok ? asScalar : asText
}

function toKey(values: readonly KeyValue[], levels: number): Key {
  return levels === 1 ? values[0] : values
}

function parseLevels(text: string, maxLevels: number): readonly KeyValue[] {
  const values = parse(text)
  if (values === undefined) {
    throw new UsageError(
      '--key is not valid JSON. A value that begins with [ is read as an array of levels; write a string that begins with [ as ["[..."].'
    )
  }
  if (!Array.isArray(values) || values.length === 0 || values.length > maxLevels || !values.every(isKeyValue)) {
    const levels = maxLevels === 1 ? 'one level' : `one to ${maxLevels} levels`
    throw new UsageError(`--key takes an array of ${levels}: strings, numbers, true, false or null.`)
  }
  return values
}

function parseScalar(text: string): number | boolean | undefined {
  const value = parse(text)
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value !== 'object'
}

/** The two times of `--between`: ISO 8601, or milliseconds since 1970. */
export type Between = readonly [string | number, string | number]

export function readBetween(text: string): Between {
  const [from, to, ...rest] = text.split(',').map((time) => time.trim())
  if (!from || !to || rest.length > 0)
    throw new UsageError(`--between takes two times with a comma between, not "${text}".`)
  const between = [toTime(from), toTime(to)] as const
  if (isBackwards(between)) throw new UsageError(`--between must not end before it begins, as "${text}" does.`)
  return between
}

function toTime(text: string): string | number {
  return /^-?\d{5,15}$/.test(text) ? Number(text) : text
}

// a time with a zone and a time without one are not compared: only the plan knows the zone of the latter
function isBackwards([from, to]: Between): boolean {
  return isAbsolute(from) === isAbsolute(to) && momentOf(from) > momentOf(to)
}

const ZONE = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i

function isAbsolute(time: string | number): boolean {
  return typeof time === 'number' || (time.length > 10 && ZONE.test(time))
}

function momentOf(time: string | number): number {
  if (typeof time === 'number') return time
  return Date.parse(time.length <= 10 || isAbsolute(time) ? time : `${time}Z`)
}

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
  // a level whose only source is its own path keeps the type of the value
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
  /** The physical partition, from 0 on, if the number of partitions is known. */
  readonly range?: number
  /** First and last physical partition, if a prefix of a hierarchical key is in several. */
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
    // no effective partition key begins with FF, so every key with this prefix sorts before the prefix and FF
    const last = isWhole ? first : Number(ownerOf(ranges, `${epk}FF`)?.id)
    return first === last ? { key, values, epk, range: first } : { key, values, epk, ranges: [first, last] }
  }
}
