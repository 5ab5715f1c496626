import type { PlanDefinition, Source } from '@keystamp/core'
import { CandidateCounter } from './candidate-counter.ts'
import { FieldCounter, type FieldSummary } from './field-summary.ts'
import { HalfCounts } from './halves.ts'
import type { KeyProfile } from './key-profile.ts'
import type { RecordBlock } from './record-block.ts'
import {
  GROUP_NUMBERS,
  hasKey,
  INVALID,
  KEY_NUMBERS,
  type RowOptions,
  RowReader,
  type Rows,
  timeOf
} from './record-row.ts'
import { NO_KEY, type Reservoir, ReservoirFiller } from './reservoir.ts'
import { TransactionCounter, type TransactionCounts } from './transaction-counter.ts'

/** A key to be measured. */
export interface KeyCandidate {
  readonly name: string
  /** Key plan; null if the values at the paths are the key. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  /** Hash version of a container without a plan. Default: 2. */
  readonly hashVersion?: 1 | 2
}

export interface ProfilerOptions extends RowOptions {
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Distinct keys of all candidates together that are counted exactly. Default: 2,000,000. */
  readonly maxKeys?: number
  /** Records that are kept for figures about time. Default: 262,144. */
  readonly reservoirSize?: number
}

/** Counts the keys of candidates in one pass over the records of a sample. */
export interface Profiler {
  /** Counts the JSON record in `bytes[start, end)`. Plans with Kafka components need its source. */
  readonly add: (bytes: Uint8Array, start?: number, end?: number, source?: Source) => void
  /** Reads records into rows. A reader with the same options can do it in another thread. */
  readonly rowReader: RowReader
  /** Counts the records of a block by its rows. */
  readonly addBlock: (block: RecordBlock) => void
  /** Stops counting a candidate, by its number. */
  readonly drop: (candidate: number) => void
  /** Counts of a candidate so far, by its number; null if it was dropped. */
  readonly peek: (candidate: number) => KeyProfile | null
  readonly finish: () => SampleProfile
}

/** Counts of a sample. */
export interface SampleProfile {
  /** Valid records. */
  readonly records: number
  readonly bytes: number
  /** Records that are not valid JSON objects. */
  readonly invalid: number
  readonly fields: readonly FieldSummary[]
  /** One for each candidate, in their order; null for dropped ones. */
  readonly keys: readonly (KeyProfile | null)[]
  readonly reservoir: Reservoir
  /** One for each transaction field. */
  readonly transactions: readonly TransactionCounts[]
}

const DEFAULT_MAX_KEYS = 2_000_000
const DEFAULT_RESERVOIR = 262_144

/** Creates the profiler of a sample. Throws a PlanError if the plan of a candidate is invalid. */
export function createProfiler(options: ProfilerOptions): Profiler {
  const { candidates, fields, timeField, transactions = [], random } = options
  const { maxKeys = DEFAULT_MAX_KEYS, reservoirSize = DEFAULT_RESERVOIR } = options
  const rowReader = new RowReader(options, random)
  const counters = candidates.map((_, number) => new CandidateCounter(number, rowReader.definitions[number]))
  const active: (CandidateCounter | null)[] = [...counters]
  const fieldCounters = fields.map((field) => new FieldCounter(field))
  const groupCounters = transactions.map(() => new TransactionCounter(candidates.length))
  const reservoir = new ReservoirFiller(
    reservoirSize,
    rowReader.definitions.map(({ kind, version }) => kind !== 'MultiHash' && version === 2),
    timeField !== undefined,
    random
  )
  const halves = new HalfCounts([
    ...counters.map((counter) => () => counter.coarseSlices()),
    ...fieldCounters.map((counter) => () => counter.presence())
  ])
  const ownRow = new Int32Array(rowReader.length)
  const { fieldsAt, groupsAt, keysAt } = rowReader
  let [records, bytesInAll, invalid, keysInMemory] = [0, 0, 0, 0]

  const { length } = rowReader
  // keys that one record can add
  const maxAdded = counters.reduce((sum, { keys, placed }) => sum + (placed === keys ? 1 : 2), 0)
  /** Block that is counted; undefined for the record that was read last. */
  let block: RecordBlock | undefined
  const needed: { readonly counter: CandidateCounter; readonly name: number; readonly row: number }[] = []

  return {
    add,
    rowReader,
    addBlock,
    drop,
    peek: (candidate) => active[candidate]?.finish(null) ?? null,
    finish
  }

  function add(bytes: Uint8Array, start = 0, end: number = bytes.length, source?: Source): void {
    rowReader.read(bytes, start, end, source, ownRow, 0)
    block = undefined
    count({ numbers: ownRow, begin: 0, end: length, length })
  }

  function addBlock(added: RecordBlock): void {
    block = added
    const numbers = added.memory.rows
    const all = added.records * length
    for (let begin = 0; begin < all;) {
      // no table gets full in between, and no point for the halves is passed
      const room = Math.floor((maxKeys - keysInMemory) / Math.max(1, maxAdded))
      const end = Math.min(all, begin + length * Math.max(1, Math.min(room, halves.untilNext(records))))
      count({ numbers, begin, end, length })
      begin = end
    }
  }

  function needValues(counter: CandidateCounter, name: number, row: number): void {
    needed.push({ counter, name, row })
  }

  /** Reads the values of keys that the counters keep. They are few, so they are not in the rows. */
  function keepValues(): void {
    if (needed.length === 0) return
    let current = -1
    for (const { counter, name, row } of needed.toSorted((a, b) => a.row - b.row)) {
      // several candidates need the values of one record
      if (block !== undefined && row !== current) {
        const { bytes, ends } = block.memory
        const record = row / length
        rowReader.scan(bytes, record === 0 ? 0 : ends[record - 1], ends[record])
        current = row
      }
      counter.keepExample(name, rowReader.valuesOf(counter.number))
    }
    needed.length = 0
  }

  function count(rows: Rows): void {
    const before = records
    for (let row = rows.begin; row < rows.end; row += length) countRecord(rows.numbers, row)
    if (records === before) return
    // candidate by candidate, because each has a table of its own
    for (let candidate = 0; candidate < active.length; candidate++) {
      const counter = active[candidate]
      if (counter === null) continue
      const size = counter.size
      counter.add(rows, keysAt + candidate * KEY_NUMBERS, needValues)
      keysInMemory += counter.size - size
    }
    keepValues()
    if (keysInMemory > maxKeys) shrinkLargest()
    halves.after(records)
  }

  /** Counts all but the keys of a record. */
  function countRecord(row: Int32Array, at: number): void {
    const size = row[at]
    if (size === INVALID) {
      invalid++
      return
    }
    records++
    bytesInAll += size
    for (let field = 0; field < fieldCounters.length; field++) fieldCounters[field].add(row[at + fieldsAt + field])
    if (reservoir.begin(size)) keep(row, at)
    for (let each = 0; each < groupCounters.length; each++) {
      const group = at + groupsAt + each * GROUP_NUMBERS
      if (row[group] !== 0 && groupCounters[each].begin(row[group + 1], row[group + 2]))
        for (let candidate = 0, key = at + keysAt; candidate < active.length; candidate++, key += KEY_NUMBERS)
          groupCounters[each].setKey(candidate, hasKey(row[key]) ? row[key + 4] : 0)
    }
  }

  function keep(row: Int32Array, at: number): void {
    if (timeField !== undefined) reservoir.setTime(timeOf(row, at))
    for (let candidate = 0, key = at + keysAt; candidate < active.length; candidate++, key += KEY_NUMBERS) {
      if (hasKey(row[key]))
        reservoir.setKey(candidate, row[key + 4], keptPosition(counters[candidate].positionOf(row, key)))
      else reservoir.setKey(candidate, 0, NO_KEY)
    }
  }

  function shrinkLargest(): void {
    const [largest] = active.filter((counter) => counter !== null).toSorted((a, b) => b.largest - a.largest)
    largest.shrink()
    keysInMemory = active.reduce((sum, counter) => sum + (counter?.size ?? 0), 0)
  }

  function drop(candidate: number): void {
    const counter = active[candidate]
    if (counter === null) return
    keysInMemory -= counter.size
    counter.clear()
    active[candidate] = null
    reservoir.drop(candidate)
  }

  function finish(): SampleProfile {
    const parts = halves.finish(records)
    return {
      records,
      bytes: bytesInAll,
      invalid,
      fields: fieldCounters.map((counter, field) => counter.finish(parts[counters.length + field])),
      keys: active.map((counter, candidate) => counter?.finish(parts[candidate]) ?? null),
      reservoir: reservoir.finish(),
      transactions: groupCounters.map((counter, each) => counter.finish(transactions[each]))
    }
  }
}

function keptPosition(position: number): number {
  return position === NO_KEY ? NO_KEY - 1 : position
}
