import type { RecordBytes } from '../read-sample.ts'

/** The first records of a sample, in its order, for a measurement. */
export interface KeptRecords {
  readonly records: readonly RecordBytes[]
  /** Whether the sample has more records than are kept. */
  readonly isPart: boolean
}

const MAX_RECORDS = 100_000
const MAX_BYTES = 64_000_000

/** Copies the first records of batches, and passes all batches on. */
export function keepRecords(batches: AsyncIterable<readonly RecordBytes[]>): {
  readonly batches: AsyncIterable<readonly RecordBytes[]>
  /** Returns the records that were copied until now. */
  readonly kept: () => KeptRecords
} {
  const records: RecordBytes[] = []
  let [bytes, isPart] = [0, false]
  async function* pass(): AsyncGenerator<readonly RecordBytes[]> {
    for await (const batch of batches) {
      for (const record of batch) {
        isPart ||= records.length >= MAX_RECORDS || bytes + record.length > MAX_BYTES
        if (isPart) break
        bytes += record.length
        // the batch reuses its memory
        records.push(Uint8Array.from(record))
      }
      yield batch
    }
  }
  return { batches: pass(), kept: () => ({ records, isPart }) }
}

/** A record of the sample as an object. */
export type SampleRecord = Readonly<Record<string, unknown>>

const decoder = new TextDecoder()

export interface ParsedRecord {
  readonly bytes: RecordBytes
  readonly record: SampleRecord
}

/** Parses records. Leaves out records that are not JSON objects. */
export function parseRecords(records: readonly RecordBytes[]): readonly ParsedRecord[] {
  return records.flatMap((bytes) => {
    try {
      const record: unknown = JSON.parse(decoder.decode(bytes))
      return isRecord(record) ? [{ bytes, record }] : []
    } catch {
      // the report counts records that are not valid JSON
      return []
    }
  })
}

function isRecord(value: unknown): value is SampleRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether several records have the same id. Writing them would be updates, and not new documents. */
export function hasRepeatedIds(records: readonly SampleRecord[]): boolean {
  const ids = new Set<unknown>()
  for (const { id } of records) {
    if (id === undefined) continue
    if (ids.has(id)) return true
    ids.add(id)
  }
  return false
}

/** Documents to write, each with a unique id. */
export interface Documents {
  readonly next: () => SampleRecord
  /** Inserts documents of the records with these numbers before the next ones. */
  readonly insert: (numbers: readonly number[]) => void
}

/**
 * Returns the records of a sample as documents, repeatedly. The id is that of the record in the first cycle, and
 * `<id>-<cycle>` in further cycles. If records have no id, or if ids repeat, the ids are running numbers.
 */
export function createDocuments(records: readonly SampleRecord[]): Documents {
  const isRepeated = hasRepeatedIds(records)
  const inserted: number[] = []
  let [written, made] = [0, 0]
  const documentOf = (number: number, suffix: string): SampleRecord => {
    const record = records[number]
    const own = isRepeated ? undefined : idOf(record)
    return { ...record, id: own === undefined ? `m-${made++}` : `${own}${suffix}` }
  }
  return {
    next: () => {
      const first = inserted.shift()
      if (first !== undefined) return documentOf(first, '-first')
      const number = written++
      const cycle = Math.floor(number / records.length)
      return documentOf(number % records.length, cycle === 0 ? '' : `-${cycle}`)
    },
    insert: (numbers) => inserted.push(...numbers)
  }
}

/** Returns the id of a record if Cosmos DB accepts it as an id. */
function idOf({ id }: SampleRecord): string | undefined {
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && /^[^/\\?#]{1,200}$/.test(id) ? id : undefined
}
