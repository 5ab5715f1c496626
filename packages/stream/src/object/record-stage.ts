import { type Counts, createCounts } from '../flow/counts.ts'
import type { KeyStamper } from '../key/key-stamper.ts'
import { createRejector } from '../reject/rejector.ts'
import type { RejectOptions } from '../reject/reject-options.ts'
import { createRecordCopy } from './copy-record.ts'

export interface RecordStageOptions<R = unknown> extends RejectOptions<R> {
  /** Stamp a copy and leave the record as it came in. Default: the record itself gets its key. */
  readonly copy?: boolean
}

/** Stamps objects: one, or an array of them. */
export interface RecordStage {
  /** The stamped record or records; undefined where nothing is left. */
  readonly push: (chunk: unknown) => unknown
  readonly finish: () => void
  readonly counts: Counts
}

export function createRecordStage(stamper: KeyStamper, options: RecordStageOptions): RecordStage {
  const counts = createCounts()
  const rejector = createRejector(options, counts)
  const copy = options.copy === true ? createRecordCopy(stamper.written) : undefined
  return { push: (chunk) => (Array.isArray(chunk) ? stampAll(chunk) : stampOne(chunk)), finish: rejector.finish, counts }

  function stampOne(record: unknown): unknown {
    counts.records++
    const stamped = stamper.stampRecord(copy === undefined ? record : copy(record))
    if (stamped.ok) return stamped.record
    rejector.reject(stamped, { index: counts.records - 1 }, () => record)
    return undefined
  }

  function stampAll(records: readonly unknown[]): unknown {
    const stamped: unknown[] = []
    for (const record of records) {
      const one = stampOne(record)
      if (one !== undefined) stamped.push(one)
    }
    return stamped.length === 0 ? undefined : stamped
  }
}
