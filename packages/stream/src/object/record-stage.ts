import { KeystampError } from '@keystamp/core'
import { unescapePointerToken } from '@keystamp/core/internal'
import { type Counts, createCounts } from '../counts.ts'
import type { KeyStamper, Refusal } from '../key/key-stamper.ts'
import type { RejectOptions } from '../reject/rejected.ts'
import { createRejector } from '../reject/rejector.ts'
import type { MeasureChunk } from './limit-waiting.ts'

export interface RecordStageOptions<R = unknown> extends RejectOptions<R> {
  /** Stamp a copy and leave the input record unchanged. Default: the record itself gets its key. */
  readonly copy?: boolean
  /** Every chunk must be an array of records. Default: a chunk may be a record or an array of records. */
  readonly arrays?: boolean
  readonly measure?: MeasureChunk
}

/** Stamps single objects and arrays of objects. */
interface RecordStage {
  /** Returns the stamped record or records; undefined if every record was rejected. */
  readonly push: (chunk: unknown) => unknown
  readonly finish: () => void
  readonly counts: Counts
}

export function createRecordStage(stamper: KeyStamper, options: RecordStageOptions): RecordStage {
  const counts = createCounts()
  const { stampRecord } = stamper
  const rejector = createRejector(options, counts)
  const copy = options.copy === true ? createRecordCopy(stamper.written) : undefined
  const measure = options.measure ?? never
  let nextMeasure = 0
  return { push, finish: rejector.finish, counts }

  function push(chunk: unknown): unknown {
    if (counts.records >= nextMeasure) nextMeasure = measure(chunk, counts.records)
    if (Array.isArray(chunk)) return stampAll(chunk)
    if (options.arrays === true)
      throw new KeystampError(
        'INPUT_INVALID',
        'A chunk is not an array of records, but the option `arrays` requires one.'
      )
    return stampOne(chunk)
  }

  function stampOne(record: unknown): unknown {
    counts.records++
    const stamped = stampRecord(copy === undefined ? record : copy(record))
    return stamped.ok ? stamped.record : reject(stamped, record)
  }

  function stampAll(records: readonly unknown[]): unknown {
    // a copy has the size that the result nearly always has
    const kept = records.slice()
    const before = counts.records
    let count = 0
    for (let index = 0; index < records.length; index++) {
      const record = records[index]
      const stamped = stampRecord(copy === undefined ? record : copy(record))
      if (stamped.ok) kept[count++] = stamped.record
      else {
        counts.records = before + index + 1
        reject(stamped, record)
      }
    }
    counts.records = before + records.length
    if (count < kept.length) kept.length = count
    return count === 0 ? undefined : kept
  }

  function reject(refusal: Refusal, record: unknown): undefined {
    rejector.reject(refusal, { index: counts.records - 1 }, () => record)
    return undefined
  }
}

function never(): number {
  return Number.POSITIVE_INFINITY
}

/** Copies records. A copy shares everything with the original except the objects that a key is written into. */
function createRecordCopy(written: readonly string[]): (record: unknown) => unknown {
  const parents = new Set(written.map(parentsOf).filter((names) => names.length > 0))
  return (record) => {
    if (!isPlainParent(record)) return record
    const copy = copyOf(record)
    for (const names of parents) copyAlong(copy, names)
    return copy
  }
}

function parentsOf(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1, -1)
  return names.map(unescapePointerToken)
}

function copyAlong(copy: Record<string, unknown>, names: readonly string[]): void {
  let parent = copy
  for (const name of names) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined
    if (!isPlainParent(child)) return
    const own = copyOf(child)
    parent[name] = own
    parent = own
  }
}

// A spread costs several times as much. The copy has the same prototype, because the record type includes inherited
// properties.
function copyOf(record: Record<string, unknown>): Record<string, unknown> {
  const inherited = Object.getPrototypeOf(record) as object | null
  return Object.assign(
    inherited === Object.prototype ? {} : (Object.create(inherited) as Record<string, unknown>),
    record
  )
}

function isPlainParent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
