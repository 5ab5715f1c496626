import { type KeyComponent, type KeyDefinition, type KeyRange, ownerOf, partitionHash } from '@keystamp/core'
import { DistinctSketch } from '../sample/distinct-sketch.ts'

/** Load of one key. `weight` is at most `error` too low. */
export interface LoadedKey {
  readonly hash: string
  readonly values: readonly KeyComponent[]
  /** Number of the range. */
  readonly range: number
  readonly weight: number
  /** Weight in each window. */
  readonly windows: Float64Array
}

/** Load by key, range and window. */
export interface CountedLoad {
  readonly total: number
  /** Number of writes or rows. */
  readonly events: number
  /** In the order of the ranges. */
  readonly byRange: Float64Array
  /** For each window: the weight by range. */
  readonly windows: readonly Float64Array[]
  /** Number of events in each window. */
  readonly windowEvents: Float64Array
  readonly distinctKeys: number
  /** Heaviest keys first. */
  readonly keys: readonly LoadedKey[]
  /** Weight by which a key may be heavier than it was counted. */
  readonly error: number
}

export interface LoadCounterOptions {
  readonly definition: KeyDefinition
  /** Sorted by `min`. */
  readonly ranges: readonly KeyRange[]
  readonly windows: number
}

/** Counts a load, such as writes or request units, in constant memory. */
export interface LoadCounter {
  /** Adds to the load of a key. Returns false for a key that cannot be hashed. */
  readonly add: (values: readonly KeyComponent[], window: number, weight: number) => boolean
  readonly finish: (isRead?: (window: number) => boolean) => CountedLoad
}

/** Keys in memory: when they are more, the lighter half leaves, and its largest weight is the error. */
const MAX_KEYS = 4000
const MAX_REPORTED = 1000

/** Creates a counter of keys by the SpaceSaving method: keys with a large share are never lost. */
export function createLoadCounter({ definition, ranges, windows }: LoadCounterOptions): LoadCounter {
  const byWindow = Array.from({ length: windows }, () => new Float64Array(ranges.length))
  const events = new Float64Array(windows)
  const sketch = new DistinctSketch()
  const numbers = new Map(ranges.map((range, number) => [range, number]))
  let keys = new Map<string, LoadedKey & { weight: number }>()
  let error = 0

  function add(values: readonly KeyComponent[], window: number, weight: number): boolean {
    const epk = partitionHash(values, definition)
    const owner = ownerOf(ranges, epk)
    const range = owner === undefined ? -1 : (numbers.get(owner) ?? -1)
    if (range < 0 || byWindow[window] === undefined) return false
    byWindow[window][range] += weight
    events[window]++
    sketch.add(hashOf(epk, 0x811c9dc5), hashOf(epk, 0x01000193))
    let key = keys.get(epk)
    if (key === undefined) {
      key = {
        hash: shortHash(epk, values.length, definition),
        values,
        range,
        weight: 0,
        windows: new Float64Array(windows)
      }
      keys.set(epk, key)
      if (keys.size > MAX_KEYS) removeLighter()
    }
    key.weight += weight
    key.windows[window] += weight
    return true
  }

  function removeLighter(): void {
    const weights = Float64Array.from(keys.values(), (key) => key.weight).toSorted()
    const middle = weights[weights.length >> 1]
    keys = new Map([...keys].filter(([, key]) => key.weight > middle))
    error += middle
  }

  function finish(isRead: (window: number) => boolean = () => true): CountedLoad {
    const read = byWindow.map((counts, window) => (isRead(window) ? counts : new Float64Array(ranges.length)))
    const byRange = new Float64Array(ranges.length)
    for (const counts of read) for (let range = 0; range < counts.length; range++) byRange[range] += counts[range]
    const windowEvents = events.map((count, window) => (isRead(window) ? count : 0))
    const counted = [...keys.values()].map((key) => {
      const inRead = key.windows.map((weight, window) => (isRead(window) ? weight : 0))
      return { ...key, windows: inRead, weight: sumOf(inRead) }
    })
    return {
      total: sumOf(byRange),
      events: sumOf(windowEvents),
      byRange,
      windows: read,
      windowEvents,
      distinctKeys: error === 0 ? counted.filter(({ weight }) => weight > 0).length : Math.round(sketch.estimate()),
      keys: counted.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_REPORTED),
      error
    }
  }

  return { add, finish }
}

/** The first 16 digits of the partition hash, or 8 of each level, as other reports of the planner show keys. */
export function shortHash(epk: string, levels: number, { kind }: KeyDefinition): string {
  if (kind !== 'MultiHash') return epk.slice(0, 16)
  return Array.from({ length: levels }, (_, level) => epk.slice(level * 32, level * 32 + 8)).join('-')
}

/** Values of a partition key in a document; undefined for a missing value, an object or an array, as Cosmos DB does. */
export function keyValuesOf(document: unknown, pointers: readonly (readonly string[])[]): readonly KeyComponent[] {
  return pointers.map((pointer) => {
    let value: unknown = document
    for (const name of pointer) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as Readonly<Record<string, unknown>>)[name]
    }
    return typeof value === 'object' && value !== null ? undefined : (value as KeyComponent)
  })
}

// FNV-1a, finished so that all bits of the result depend on all characters
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function sumOf(list: Float64Array): number {
  return list.reduce((sum, each) => sum + each, 0)
}
