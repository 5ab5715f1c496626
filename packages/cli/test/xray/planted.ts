import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'
import { shuffle } from '@keystamp/core/internal'
import { createWriter } from '@keystamp/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import type { CheckName } from '@keystamp/planner'
import { createRandom } from '@keystamp/planner'

/** A container with writes of the last minutes, and with troubles that are known. */
export interface Planted {
  readonly emulator: Emulator
  /** As `keystamp xray` takes it. */
  readonly container: string
}

export interface PlantedTrouble {
  readonly name: CheckName
  /** Documents for each of the 15 minutes, and the number that the finding must have. */
  readonly plant: (random: () => number, isPlanted: boolean) => Plot
}

/** Documents and settings of a container. */
export interface Plot {
  readonly options: EmulatorOptions
  /** Documents that are older than the period. */
  readonly old?: readonly PlantedDocument[]
  readonly minutes: readonly (readonly PlantedDocument[])[]
  /** Ids of ranges to split before the writes. */
  readonly splits?: readonly string[]
  /** Further arguments of the command. */
  readonly args?: readonly string[]
  /** Number that the finding must have. */
  readonly truth: number
}

export interface PlantedDocument {
  readonly id: string
  readonly key: string
  readonly text?: string
}

const MINUTES = 15
const KEYS = 1500
const PER_MINUTE = 200
const DEFINITION = { kind: 'Hash', version: 2 } as const
/** Healthy: 4 physical partitions that the RU/s need. */
const FOUR: EmulatorOptions = { ranges: 4, ruPerSecond: 40_000 }
const FOUR_RANGES = rangesOf(4, DEFINITION)

/** Each trouble, once built to have it, and once built to come close to it without having it. */
export const TROUBLES: readonly PlantedTrouble[] = [
  {
    name: 'hot-key',
    plant: (random, isPlanted) => {
      const share = isPlanted ? between(random, 0.25, 0.5) : 0.05
      const minutes = minutesOf(random, () => (random() < share ? 'key-hot' : anyKey(random)))
      return { options: FOUR, minutes, truth: shareOf(minutes, (key) => key === 'key-hot') }
    }
  },
  {
    name: 'many-keys-in-one-range',
    plant: (random, isPlanted) => {
      const there = Array.from({ length: KEYS }, (_, index) => `key-${index}`).filter((key) => ownerIn(key) === '2')
      const share = isPlanted ? between(random, 0.35, 0.6) : 0
      const minutes = minutesOf(random, () =>
        random() < share ? there[Math.floor(random() * there.length)] : anyKey(random)
      )
      return { options: FOUR, minutes, truth: shareOf(minutes, (key) => ownerIn(key) === '2') }
    }
  },
  {
    name: 'uneven-splits',
    plant: (random, isPlanted) => ({
      options: { ranges: 3, ruPerSecond: isPlanted ? 50_000 : 60_000 },
      splits: isPlanted ? shuffle(['0', '1', '2'], random).slice(0, 2) : ['0', '1', '2'],
      minutes: minutesOf(random, () => anyKey(random)),
      truth: 3 / 5
    })
  },
  {
    name: 'moving-hot-spot',
    plant: (random, isPlanted) => {
      const suffixes = isPlanted ? 1 : 400
      const share = between(random, 0.8, 1)
      const minutes = minutesOf(random, (minute) =>
        random() < share ? `minute-${minute}.${Math.floor(random() * suffixes)}` : anyKey(random)
      )
      const tops = minutes.map((documents) => {
        const counts = new Map<string, number>()
        for (const { key } of documents) {
          const id = ownerIn(key)
          counts.set(id, (counts.get(id) ?? 0) + 1)
        }
        return Math.max(...counts.values()) / documents.length
      })
      return { options: FOUR, minutes, truth: tops.toSorted((a, b) => a - b)[MINUTES >> 1] }
    }
  },
  {
    name: 'key-near-20-gb',
    plant: (random, isPlanted) => {
      const gb = isPlanted ? between(random, 17, 19.5) : 12
      const keys = Array.from({ length: 10 }, () => 'key-large')
      return largePlot(random, keys, gb)
    }
  },
  {
    name: 'range-near-50-gb',
    plant: (random, isPlanted) => {
      const gb = isPlanted ? between(random, 42, 47) : 30
      const keys = Array.from({ length: 200 }, (_, index) => `old-${index}`).filter((key) => ownerIn(key) === '1')
      return largePlot(random, keys.slice(0, 20), gb)
    }
  },
  {
    name: 'unusable-throughput',
    plant: (random, isPlanted) => {
      const share = isPlanted ? between(random, 0.3, 0.7) : 0.04
      const minutes = minutesOf(random, () => (random() < share ? 'key-hot' : anyKey(random)))
      const shares = FOUR_RANGES.map(({ id }) => shareOf(minutes, (key) => ownerIn(key) === id))
      return { options: FOUR, minutes, truth: 1 - 1 / (4 * Math.max(...shares)) }
    }
  },
  {
    name: 'merge-possible',
    plant: (random, isPlanted) => {
      const ranges = 3 + Math.floor(random() * 6)
      return {
        options: { ranges, ruPerSecond: isPlanted ? 9000 : 10_000 * ranges },
        minutes: minutesOf(random, () => anyKey(random)),
        truth: ranges - 1
      }
    }
  },
  {
    name: 'wide-queries',
    plant: (random, isPlanted) => {
      const wide = Math.round(isPlanted ? between(random, 60, 95) : 20)
      return {
        options: FOUR,
        minutes: minutesOf(random, () => anyKey(random)),
        args: ['--query', `other @ ${wide}/s`, '--query', `key @ ${100 - wide}/s`],
        truth: wide / 100
      }
    }
  }
]

/** Bytes that the emulator accounts for each byte of a document. */
const SCALE = 20_000

/** Older documents of some gigabytes, the same amount for each key, and writes that are healthy. */
function largePlot(random: () => number, keys: readonly string[], gb: number): Plot {
  const text = 'x'.repeat(Math.round((gb * 1e9) / SCALE / keys.length))
  return {
    options: { ...FOUR, storageScale: SCALE },
    old: keys.map((key, index) => ({ id: `large-${index}`, key, text })),
    minutes: minutesOf(random, () => anyKey(random)),
    truth: gb
  }
}

/** Id of the physical partition, of four, that has a key. */
function ownerIn(key: string): string {
  return ownerOf(FOUR_RANGES, partitionHash([key], DEFINITION))!.id
}

function minutesOf(random: () => number, keyOf: (minute: number) => string): readonly (readonly PlantedDocument[])[] {
  return Array.from({ length: MINUTES }, (_, minute) =>
    Array.from({ length: PER_MINUTE + Math.floor(random() * 50) }, (__, index) => ({
      id: `${minute}-${index}`,
      key: keyOf(minute)
    }))
  )
}

function anyKey(random: () => number): string {
  return `key-${Math.floor(random() * KEYS)}`
}

function shareOf(minutes: Plot['minutes'], matches: (key: string) => boolean): number {
  const all = minutes.flat()
  return all.filter(({ key }) => matches(key)).length / all.length
}

function between(random: () => number, low: number, high: number): number {
  return low + random() * (high - low)
}

/** Starts an emulator with the documents of a plot, each written in its minute before now. */
export async function plant(plot: Plot): Promise<Planted> {
  let aheadMs = -(MINUTES + 5) * 60_000
  const emulator = await startEmulator({ auth: 'off', now: () => Date.now() + aheadMs, ...plot.options })
  await post(emulator, 'dbs', { id: 'd' })
  await post(emulator, 'dbs/d/colls', { id: 'c', partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 } })
  for (const id of plot.splits ?? []) await emulator.split('d', 'c', id)
  const { endpoint, key } = emulator
  const writer = await createWriter({ endpoint, key, database: 'd', container: 'c', metadataBy: 'direct' })
  try {
    await Promise.all((plot.old ?? []).map((document) => writer.upsert(document)))
    for (const [minute, documents] of plot.minutes.entries()) {
      // the middle of the minute, so that all of them are in it
      aheadMs = (minute - MINUTES + 0.5) * 60_000
      await Promise.all(documents.map((document) => writer.upsert(document)))
    }
  } finally {
    await writer.close()
    aheadMs = 0
  }
  return { emulator, container: `${endpoint}d/c` }
}

async function post(emulator: Emulator, path: string, body: object): Promise<void> {
  const answer = await fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status} to ${path}.`)
}

/** Random numbers of one seed, and of one trouble. */
export function randomOf(seed: number, name: CheckName): () => number {
  return createRandom(seed * 100 + TROUBLES.findIndex((trouble) => trouble.name === name))
}
