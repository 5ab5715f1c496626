import {
  joinedLength,
  ownerOf,
  partitionHash,
  type KeyDefinition,
  type KeyRange,
  type StampedBytes
} from '@keystamp/core'

/** Estimate from a sample of records. */
export interface SampleEstimate {
  /** Number of records in the sample that would be written. */
  readonly records: number
  readonly rejected: Readonly<Record<string, number>>
  readonly bytesPerRecord: number
  /** RU to create one document; replacing one costs about twice as much. */
  readonly ruPerRecord: number
  readonly keys: number
  /** Physical partitions with their share of the RU, largest share first. */
  readonly ranges: readonly { readonly id: string; readonly share: number }[]
  /**
   * Share of the provisioned throughput that the load can use. Each physical partition provides an equal part, so the
   * share is 1 if the load is the same on all of them.
   */
  readonly usableShare: number
}

/** Collects the records of a sample. */
export interface Estimator {
  readonly add: (stamped: StampedBytes) => void
  readonly reject: (code: string) => void
  readonly result: () => SampleEstimate
}

export function createEstimator(definition: KeyDefinition, ranges: readonly KeyRange[]): Estimator {
  const ruByRange = new Map<string, number>(ranges.map(({ id }) => [id, 0]))
  const keys = new Set<string>()
  const rejected: Record<string, number> = {}
  let records = 0
  let bytes = 0
  let ru = 0
  return {
    add: (stamped) => {
      const length = joinedLength(stamped)
      const charge = createRu(length, termsOf(stamped))
      const epk = partitionHash(stamped.values, definition)
      const { id } = ownerOf(ranges, epk)!
      records += 1
      bytes += length
      ru += charge
      ruByRange.set(id, ruByRange.get(id)! + charge)
      keys.add(epk)
    },
    reject: (code) => {
      rejected[code] = (rejected[code] ?? 0) + 1
    },
    result: () => {
      const shares = [...ruByRange]
        .map(([id, part]) => ({ id, share: ru === 0 ? 0 : part / ru }))
        .toSorted((a, b) => b.share - a.share)
      return {
        records,
        rejected,
        bytesPerRecord: records === 0 ? 0 : bytes / records,
        ruPerRecord: records === 0 ? 0 : ru / records,
        keys: keys.size,
        ranges: shares,
        usableShare: records === 0 ? 0 : 1 / (shares.length * shares[0].share)
      }
    }
  }
}

// Prices that Microsoft publishes for a write without an index: size in KB and RU. Sizes between two entries are
// interpolated.
const WRITE_RU: readonly (readonly [number, number])[] = [
  [1, 4.95],
  [2, 6.29],
  [4, 6.67],
  [8, 7.04],
  [16, 9.52],
  [32, 11.23],
  [64, 22.67],
  [128, 48.19],
  [256, 98.29],
  [512, 184.57],
  [1024, 625],
  [2048, 1250]
]
const TERM_RU = 0.2

// the index has one term for each value, at any depth
function termsOf({ bytes, start, end, splices }: StampedBytes): number {
  return countLeaves(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString())) + splices.length
}

function countLeaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + countLeaves(member), 0)
}

function createRu(bytes: number, terms: number): number {
  const kb = Math.max(1, bytes / 1024)
  const above = WRITE_RU.findIndex(([size]) => size >= kb)
  const [size, price] = WRITE_RU[above < 0 ? WRITE_RU.length - 1 : above]
  const [lower, lowerPrice] = above > 0 ? WRITE_RU[above - 1] : [size, price]
  const write = size === lower ? price : lowerPrice + ((price - lowerPrice) * (kb - lower)) / (size - lower)
  return write + TERM_RU * terms
}
