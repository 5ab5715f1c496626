import { createPlan } from '@keystamp/core'
import {
  busiestRecords,
  type Candidate,
  createProfiler,
  createRandom,
  discoverFields,
  predictUsableShare,
  type SampleProfile,
  writeCharge
} from '@keystamp/planner'
import type { RecordBytes } from '../read-sample.ts'
import { createDocuments, type SampleRecord } from './kept-records.ts'
import { IN_FLIGHT } from './measure-writes.ts'

/** Prediction for the writes of one measurement. */
export interface PredictedWrites {
  /** Null if no record has the key. */
  readonly usableShare: number | null
  /** Numbers of records that would fill the queue after some time. The measurement can begin with them. */
  readonly first: readonly number[]
}

export interface WritesToPredict {
  readonly partitions: number
  readonly seed: number
  /** Number of writes during the measurement under a key that can use all RU/s. */
  readonly mostWrites: number
}

/** Predicts the share that the writes can use. The measurement writes fewer records under an uneven key. */
export function predictWrites(
  candidate: Candidate,
  records: readonly RecordBytes[],
  { partitions, seed, mostWrites }: WritesToPredict
): PredictedWrites {
  const random = (): (() => number) => createRandom(seed)
  const options = { ranges: partitions, inFlight: IN_FLIGHT, random }
  const profile = (count: number): SampleProfile => profileOf(candidate, records.slice(0, Math.ceil(count)), random())
  const ofAll = predictUsableShare(profile(mostWrites), 0, options)
  if (ofAll === null) return { usableShare: null, first: [] }
  const reached = profile(mostWrites * ofAll + IN_FLIGHT)
  const usableShare = predictUsableShare(reached, 0, options)
  const isEven = usableShare === null || usableShare > EVEN
  return { usableShare, first: isEven ? [] : busiestRecords(reached, 0, options) }
}

/** Usable share above which the records of one partition never fill the queue. */
const EVEN = 0.95

function profileOf(candidate: Candidate, records: readonly RecordBytes[], random: () => number): SampleProfile {
  const profiler = createProfiler({ candidates: [candidate], fields: discoverFields([]), random })
  for (const record of records) profiler.add(record)
  return profiler.finish()
}

const STAMPED_RECORDS = 1000

/** RU of a write for the mean document, with the property that the key plan adds. */
export function predictWriteRu({ plan }: Candidate, records: readonly SampleRecord[]): number {
  const compiled = plan === null ? undefined : createPlan(plan, { random: Math.random })
  const documents = createDocuments(records)
  let [stamped, bytes, values] = [0, 0, 0]
  for (let index = 0; index < Math.min(STAMPED_RECORDS, records.length); index++) {
    const document = structuredClone(documents.next())
    if (compiled?.stamp(document).ok === false) continue
    stamped++
    bytes += Buffer.byteLength(JSON.stringify(document))
    values += countValues(document)
  }
  const count = Math.max(1, stamped)
  return writeCharge({ operation: 'create', itemBytes: bytes / count, indexedValues: values / count })
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + countValues(each), 0)
}
