import { createPlan, partitionHashHead } from '@keystamp/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { Interval } from '../model/interval.ts'
import { countByRange, maximum, rangeOf } from '../model/range-load.ts'
import { usableShare, type UsableShareOptions } from '../model/usable-share.ts'
import type { AllKeys, KeyCount, KeyProfile } from '../sample/key-profile.ts'
import { formatPercent } from '../workload/quantity-text.ts'

/** Smaller differences of the usable share are not worth a warning. */
const MIN_GAIN = 0.01
/** Share of the records with suffixes whose keys must be known; the warning is about a few base keys. */
const MIN_KNOWN = 0.9

/**
 * Returns a warning if numbered labels would spread the keys of the sample better than the even labels of a candidate.
 * Over many base keys, even labels are at least as good. With few base keys, numbered labels can be better by chance.
 * `even`: usable share of the candidate over the whole sample.
 */
export function labelWarning(
  candidate: Candidate,
  profile: KeyProfile,
  even: Interval | null,
  options: UsableShareOptions
): readonly string[] {
  if (even === null || even.mid > 1 - MIN_GAIN) return []
  const moves = movesOf(candidate, profile)
  if (!spreadsBetter(profile, moves, options.ranges)) return []
  const numbered = usableShare(withMoves(profile, moves), options).value
  // overlapping intervals: the difference may be due to the sample
  if (numbered === null || numbered.mid < even.mid + MIN_GAIN || numbered.low <= even.high) return []
  return [
    `Even labels are worse than numbered ones for the base keys in the sample: with ${options.ranges} physical partitions, the load can use ${formatPercent(even.mid)} of the throughput, and ${formatPercent(numbered.mid)} with "labels": "numbered".`
  ]
}

/** A key, and the position that it would have with a numbered label. */
interface Move {
  readonly key: KeyCount
  readonly position: number
}

// the forecasts for several times to live ask for the same keys
const known = new WeakMap<KeyProfile, readonly Move[]>()

/** Returns the positions of the frequent keys with numbered labels; none if too many keys are not known. */
function movesOf(candidate: Candidate, profile: KeyProfile): readonly Move[] {
  let moves = known.get(profile)
  if (moves === undefined) {
    moves = findMoves(candidate, profile)
    known.set(profile, moves)
  }
  return moves
}

function findMoves({ plan, levels }: Candidate, { heavy, records }: KeyProfile): readonly Move[] {
  const [{ suffix }] = levels
  if (plan === null || levels.length > 1 || suffix?.isEven !== true) return []
  const { decode, partitionKey } = createPlan(plan)
  if (partitionKey.version !== 2) return []
  const moves = heavy.flatMap((key): readonly Move[] => {
    const [text] = key.values ?? []
    const decoded = typeof text === 'string' ? decode(text) : undefined
    if (decoded?.ok !== true || decoded.version !== 0) return []
    const [{ slot, label }] = decoded.levels
    if (slot === undefined) return []
    const numbered = (text as string).slice(0, -String(label).length) + slot
    return [{ key, position: partitionHashHead([numbered], partitionKey) / HEADS }]
  })
  const hotShare = suffix.hot.reduce((sum, { share }) => sum + share, 0)
  const withSuffixes = suffix.count > 1 ? records : hotShare * records
  return moves.reduce((sum, { key }) => sum + key.records, 0) >= MIN_KNOWN * withSuffixes ? moves : []
}

/** The first 32 bits of an effective partition key of version 2 are below this number. */
const HEADS = 2 ** 30

/** Whether the busiest range of the sample would have fewer records. It needs no simulation, unlike the usable share. */
function spreadsBetter(profile: KeyProfile, moves: readonly Move[], ranges: number): boolean {
  const { counts } = countByRange(profile, ranges)
  const busiest = maximum(counts)
  for (const { key, position } of moves) {
    counts[rangeOf(key.position, ranges)] -= key.records
    counts[rangeOf(position, ranges)] += key.records
  }
  return maximum(counts) < busiest
}

function withMoves(profile: KeyProfile, moves: readonly Move[]): KeyProfile {
  const { placed } = profile
  const positions = new Map(moves.map(({ key, position }) => [key, position]))
  const slices = profile.slices.slice()
  for (const { key, position } of moves) {
    slices[rangeOf(key.position, slices.length)] -= key.records
    slices[rangeOf(position, slices.length)] += key.records
  }
  const heavy = placed.heavy.map((key) => ({ ...key, position: positions.get(key) ?? key.position }))
  const all = placed.all && movedKeys(placed.all, moves)
  return { ...profile, slices, placed: { ...placed, heavy, all } }
}

function movedKeys({ positions, records }: AllKeys, moves: readonly Move[]): AllKeys {
  const moved = new Map(moves.map(({ key, position }) => [key.position * POSITIONS, position * POSITIONS]))
  return { positions: positions.map((position) => moved.get(position) ?? position), records }
}

const POSITIONS = 0x1_0000_0000
