import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'

import { lineOf, measure, type Measured } from './measure.ts'

export const question =
  'What does hashing cost compared with the function of the SDK, and how much of the provisioned RU can 400 labels use?'

const KEYS = 5_000
const BASES = 20
const COUNT = 400

/** Hashes of 17-character keys, even labels of new and of known base keys, and a table of the usable share of RU. */
export async function run(report: (line: string) => void): Promise<void> {
  const { murmur32, evenLabels, createLabelCache } = await loadInner()
  const sdkHash = await loadSdkHash()
  const keys = Array.from({ length: KEYS }, (_, index) => flat(`1FTFW1ET5DFC${10_000 + index}`))
  const hashed = measure(
    [
      {
        name: 'effective key, the client’s own function',
        run: () => each(keys, (key) => sdkHash([key], { version: 2, paths: ['/a'] }))
      },
      { name: 'effective key, partitionHash', run: () => each(keys, (key) => partitionHash([key], { version: 2 })) },
      {
        name: 'effective key of version 1, partitionHash',
        run: () => each(keys, (key) => partitionHash([key], { version: 1 }))
      },
      { name: 'suffix hash, murmur32', run: () => each(keys, murmur32) }
    ],
    { records: KEYS }
  )
  for (const line of hashed) report(lineOf(line))

  let day = 0
  const labelsOf = createLabelCache(COUNT, 2)
  const days = Array.from({ length: 16 }, (_, index) => flat(`2018-08-${10 + index}.`))
  const [found, looked] = [
    measure(
      [
        {
          name: `${COUNT} even labels of a new base`,
          run: () => times(BASES, () => evenLabels(`2018-08-09T${day++}.`, COUNT, 2))
        }
      ],
      {
        records: BASES
      }
    ),
    measure([{ name: 'even labels of a known base', run: () => times(KEYS, (index) => labelsOf(days[index & 15])) }], {
      records: KEYS
    })
  ]
  for (const [line] of [found, looked]) report(costLine(line))
  for (const line of shareTable(evenLabels)) report(line)
}

/**
 * Share of the provisioned RU that can be used, median and worst of 50 dates: 1 / (ranges x the largest share of one
 * range).
 */
function shareTable(evenLabels: Inner['evenLabels']): string[] {
  const dates = Array.from({ length: 50 }, (_, index) =>
    new Date(Date.UTC(2018, 7, 1 + index)).toISOString().slice(0, 10)
  )
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
  const plain = dates.map((date) => numbers.map((suffix) => partitionHash([`${date}.${suffix}`], { version: 2 })))
  const even = dates.map((date) =>
    Array.from(evenLabels(`${date}.`, COUNT, 2), (label) => partitionHash([`${date}.${label}`], { version: 2 }))
  )
  const lines = [
    '  ranges    numbered: median  worst  all dates    even: median  worst  all dates    best possible on one date'
  ]
  for (const ranges of [2, 4, 7, 10, 13, 20, 30, 50, 53, 57, 58, 60, 62, 63, 64, 100]) {
    const best = `${((100 * COUNT) / (ranges * Math.ceil(COUNT / ranges))).toFixed(0).padStart(4)} %`
    lines.push(
      `  ${String(ranges).padStart(6)}              ${shares(plain, ranges)}          ${shares(even, ranges)}                           ${best}`
    )
  }
  return lines
}

function shares(dates: readonly (readonly string[])[], rangeCount: number): string {
  const sorted = dates.map((epks) => usableShare(epks, rangeCount)).toSorted((a, b) => a - b)
  const all = usableShare(dates.flat(), rangeCount)
  return [sorted[sorted.length >> 1], sorted[0], all]
    .map((share) => `${(share * 100).toFixed(0).padStart(4)} %`)
    .join('   ')
}

function usableShare(epks: readonly string[], rangeCount: number): number {
  const ranges = rangesOf(rangeCount, { version: 2 })
  const loads = new Map<unknown, number>()
  for (const epk of epks) {
    const owner = ownerOf(ranges, epk)
    loads.set(owner, (loads.get(owner) ?? 0) + 1)
  }
  return epks.length / (rangeCount * Math.max(...loads.values()))
}

interface Inner {
  readonly murmur32: (text: string) => number
  readonly evenLabels: (prefix: string, count: number, hashVersion: 1 | 2) => Int32Array
  readonly createLabelCache: (count: number, hashVersion: 1 | 2) => (prefix: string) => Int32Array
}

// the package does not export these functions, but their cost decides the cost of a key
async function loadInner(): Promise<Inner> {
  const parts = await Promise.all(['hash/murmur32.js', 'hash/even-labels.js'].map(loadPart))
  return Object.assign({}, ...parts)
}

function loadPart(file: string): Promise<Partial<Inner>> {
  return import(new URL(file, import.meta.resolve('@keystamp/core')).href)
}

type SdkHash = (values: readonly unknown[], definition: object) => string

async function loadSdkHash(): Promise<SdkHash> {
  const file = new URL('utils/hashing/hash.js', import.meta.resolve('@azure/cosmos'))
  const { hashPartitionKey }: { hashPartitionKey: SdkHash } = await import(file.href)
  return hashPartitionKey
}

function each(keys: readonly string[], hash: (key: string) => string | number): number {
  let seen = 0
  for (const key of keys) {
    const result = hash(key)
    seen ^= typeof result === 'string' ? result.charCodeAt(5) : result
  }
  return seen
}

function times(count: number, work: (index: number) => Int32Array): number {
  let seen = 0
  for (let index = 0; index < count; index++) seen ^= work(index)[7]
  return seen
}

// V8 stores a joined string as a tree until it is first read; the strings of real records are flat
function flat(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function costLine({ name, nanos }: Measured): string {
  return `  ${name.padEnd(56)} ${nanos.toFixed(nanos < 1000 ? 1 : 0).padStart(8)} ns`
}
