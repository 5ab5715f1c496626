import type { Candidate } from '../candidates/candidate.ts'
import { timeConcentration, usableInTime } from '../model/time-concentration.ts'
import { rangeOf } from '../model/range-load.ts'
import { sampledUsableShare } from '../model/usable-share.ts'
import { type Route, routeQuery } from '../queries/route.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import { NO_KEY, type Reservoir } from '../sample/reservoir.ts'
import { pointReadCharge, queryCharge } from '../service/charges.ts'
import type { QueryLoad } from '../workload/workload.ts'

/** A measurement: records of a sample are written as fast as possible, in the order of the sample. */
export interface MeasuredWrites {
  /** Physical partitions. */
  readonly ranges: number
  /** Operations that the writer sends before it waits for an answer. */
  readonly inFlight: number
  /** Makes a seeded source of random numbers; equal calls give equal numbers. */
  readonly random: () => () => number
}

/**
 * Predicts the share of the RU/s that a measurement can use under one candidate. `candidate`: its number. The result is
 * the usable share of these records, as in a report. But instead of the time, the order of the sample counts, because
 * adjacent records are written at the same time. Null if no record has the key.
 */
export function predictUsableShare(
  sample: SampleProfile,
  candidate: number,
  { ranges, inFlight, random }: MeasuredWrites
): number | null {
  const profile = sample.keys[candidate]
  const share = profile === null ? null : sampledUsableShare(profile, ranges)
  if (share === null) return null
  const ordered = inWrittenOrder(sample.reservoir, inFlight * WINDOW_QUEUES)
  const concentration = timeConcentration(ordered, candidate, random)(ranges)
  return usableInTime({ low: share, mid: share, high: share }, concentration, ranges)?.mid ?? null
}

/**
 * Length of a window of time, in queues. While the busiest range is throttled, operations for other ranges leave the
 * queue. So if the busiest range changes from one block of records to the next, the load is as even as in a window of
 * about three queues.
 */
const WINDOW_QUEUES = 3
const WINDOW_MS = 60_000

/** Returns the same records with other times: each minute contains one window of records. */
function inWrittenOrder(reservoir: Reservoir, windowRecords: number): Reservoir {
  const times = Float64Array.from({ length: reservoir.size }, (_, record) => (record * WINDOW_MS) / windowRecords)
  return { ...reservoir, times }
}

/**
 * Numbers of the first records of the busiest range, at most as many as fit into the queue. After some time, such
 * records fill the queue. With a slightly uneven key this takes long, so a measurement can begin with these records.
 */
export function busiestRecords(
  { reservoir }: SampleProfile,
  candidate: number,
  { ranges, inFlight }: Omit<MeasuredWrites, 'random'>
): readonly number[] {
  const keys = reservoir.keys[candidate]
  if (keys === null) return []
  const byRange = Array.from({ length: ranges }, (): number[] => [])
  for (const [record, position] of keys.positions.entries())
    if (position !== NO_KEY) byRange[rangeOf(position / POSITIONS, ranges)].push(record)
  const busiest = byRange.reduce((most, each) => (each.length > most.length ? each : most))
  return busiest.slice(0, inFlight)
}

const POSITIONS = NO_KEY + 1

/** Properties of the answer of a query on which its charge depends. */
export interface AnswerSize {
  /** Physical partitions of the container. */
  readonly partitions: number
  /** Bytes of the answer. */
  readonly bytes: number
}

/** Predicts the number of physical partitions to which a query goes, and its RU for an answer of this size. */
export function predictQuery(
  query: QueryLoad,
  candidate: Candidate,
  { partitions, bytes }: AnswerSize
): Route & { readonly ru: number } {
  const route = routeQuery(query, candidate, partitions)
  const ru =
    route.kind === 'point'
      ? pointReadCharge(bytes, 'session')
      : queryCharge({ ranges: route.ranges, resultBytes: bytes, consistency: 'session' })
  return { ...route, ru }
}
