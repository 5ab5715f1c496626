import type { Frequency, KeyCount, KeyCounts, KeyProfile } from '../../src/sample/key-profile.ts'
import { createRandom } from '../../src/sample/random.ts'

/** Documents in all, known completely: the key of each, and the position of each key in the hash space. */
export interface Population {
  readonly name: string
  readonly keyOf: Int32Array
  readonly positions: Float64Array
}

export interface NamedPopulation {
  readonly name: string
  readonly create: () => Population
}

export const DOCUMENTS = 1_000_000

/** Distributions that keys of real systems have, each with 1,000,000 documents. */
export const POPULATIONS: readonly NamedPopulation[] = [
  weighted('uniform, 50,000 keys', () => equal(50_000)),
  weighted('uniform, 1,000 keys', () => equal(1000)),
  weighted('Zipf 0.8', () => zipf(100_000, 0.8)),
  weighted('Zipf 1.1', () => zipf(100_000, 1.1)),
  weighted('Zipf 1.4', () => zipf(100_000, 1.4)),
  weighted('tenants, one with 40 %', () => withTop(zipf(300, 0.7), 0.4)),
  weighted('dates, sorted by time', () => equal(365).map((weight, day) => weight * (1 + day / 365))),
  weighted('dates, shuffled', () => equal(30)),
  weighted('device and day', () => zipf(2000, 0.5).flatMap((weight) => equal(30).map(() => weight))),
  {
    name: 'ids',
    create: () =>
      population(
        'ids',
        Int32Array.from({ length: DOCUMENTS }, (_, index) => index)
      )
  },
  { name: 'mixed types, 2 % missing', create: mixed }
]

/** Draws uniform samples of a population without replacement, as profiles of its key. */
export function createSampler({ keyOf, positions }: Population, random: () => number): (records: number) => KeyProfile {
  const rest = keyOf.slice()
  const counts = new Int32Array(positions.length)
  const touched = new Int32Array(DOCUMENTS)
  return (records) => {
    let distinct = 0
    for (let index = 0; index < records; index++) {
      const other = index + Math.floor(random() * (DOCUMENTS - index))
      const key = rest[other]
      rest[other] = rest[index]
      rest[index] = key
      if (counts[key]++ === 0) touched[distinct++] = key
    }
    const keys = touched.subarray(0, distinct)
    const profile = profileOf(records, keys, counts, positions)
    for (const key of keys) counts[key] = 0
    return profile
  }
}

/** Profile of all documents. */
export function countAll({ keyOf, positions }: Population): KeyProfile {
  const counts = new Int32Array(positions.length)
  for (const key of keyOf) counts[key]++
  const keys = Int32Array.from(positions, (_, key) => key).filter((key) => counts[key] > 0)
  return profileOf(keyOf.length, keys, counts, positions)
}

const MAX_HEAVY = 1000

function profileOf(records: number, keys: Int32Array, counts: Int32Array, positions: Float64Array): KeyProfile {
  const distinct = keys.length
  // loops, since a callback for each of millions of keys takes most of the time
  const all = { positions: new Uint32Array(distinct), records: new Uint32Array(distinct) }
  let largest = 0
  for (let index = 0; index < distinct; index++) {
    const count = counts[keys[index]]
    all.records[index] = count
    all.positions[index] = positions[keys[index]] * 2 ** 32
    if (count > largest) largest = count
  }
  const keysWith = new Int32Array(largest + 1)
  for (let index = 0; index < distinct; index++) keysWith[all.records[index]]++
  let least = largest
  for (let kept = keysWith[least]; least > 1 && kept < MAX_HEAVY;) kept += keysWith[--least]
  const heavy: KeyCount[] = []
  let tied = MAX_HEAVY
  for (let count = least + 1; count <= largest; count++) tied -= keysWith[count]
  for (let index = 0; index < distinct; index++) {
    const count = all.records[index]
    if (count < least || (count === least && tied-- <= 0)) continue
    heavy.push({ hash: '', values: null, position: positions[keys[index]], records: count, bytes: 0, error: 0 })
  }
  heavy.sort((a, b) => b.records - a.records)
  const frequencies: Frequency[] = []
  keysWith.forEach((many, count) => many > 0 && frequencies.push({ records: count, keys: many }))
  const counted: KeyCounts = {
    distinct,
    once: keysWith[1] ?? 0,
    atLeast: distinct,
    isExact: true,
    heavy,
    frequencies,
    all
  }
  const none = { rejected: 0, rejections: [], missing: 0, bytes: 0, halves: null }
  return { ...counted, ...none, records, placed: counted, slices: new Float64Array(0), sliceBytes: new Float64Array(0) }
}

function weighted(name: string, weights: () => number[]): (typeof POPULATIONS)[number] {
  return { name, create: () => drawn(name, weights()) }
}

function equal(keys: number): number[] {
  return Array.from({ length: keys }, () => 1)
}

function zipf(keys: number, exponent: number): number[] {
  return Array.from({ length: keys }, (_, rank) => (rank + 1) ** -exponent)
}

function withTop(weights: readonly number[], share: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return [share / (1 - share), ...weights.map((weight) => weight / sum)]
}

/** Draws a key for each document. The probability of a key is proportional to its weight. */
function drawn(name: string, weights: readonly number[]): Population {
  const random = createRandom(weights.length)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const ends: number[] = []
  for (const weight of weights) ends.push((ends.at(-1) ?? 0) + weight / sum)
  const keyOf = Int32Array.from({ length: DOCUMENTS }, () => firstAbove(ends, random()))
  return population(name, name.includes('sorted') ? keyOf.toSorted() : keyOf)
}

function firstAbove(ends: readonly number[], value: number): number {
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}

// half of the documents have a key of their own, 2 % have the key for missing values, the others one of 3,000 keys
function mixed(): Population {
  const random = createRandom(2)
  const keyOf = Int32Array.from({ length: DOCUMENTS }, (_, index) => {
    const kind = random()
    return kind < 0.02 ? 0 : kind < 0.5 ? 1 + Math.floor(random() * 3000) : 3001 + index
  })
  return population('mixed types, 2 % missing', keyOf)
}

function population(name: string, keyOf: Int32Array): Population {
  const keys = keyOf.reduce((most, key) => Math.max(most, key), 0) + 1
  const random = createRandom(keys)
  // Random positions, since the hashes of keys are evenly distributed, too.
  return { name, keyOf, positions: Float64Array.from({ length: keys }, () => random()) }
}
