import { KeystampError, type PlanDefinition, type Source } from '@keystamp/core'
import { createKeyReader, type KeyOrigin, parsePointer, type Pointer } from '@keystamp/core/internal'
import { CandidateCounter } from './candidate-counter.ts'
import { instantOf } from './field-forms.ts'
import { FieldCounter, type FieldSummary } from './field-summary.ts'
import { HalfCounts } from './halves.ts'
import type { KeyProfile } from './key-profile.ts'
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

export interface ProfilerOptions {
  readonly candidates: readonly KeyCandidate[]
  /** Fields to count in all records, from `discoverFields`. */
  readonly fields: readonly FieldSummary[]
  /** JSON pointer of the field with the time of a record. */
  readonly timeField?: string | undefined
  /** JSON pointers of fields whose equal values make a transaction. */
  readonly transactions?: readonly string[]
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
  const transactionKeys = transactions.map((field): KeyOrigin => ({ paths: [pointerOf(field)], version: 2 }))
  const timeNumber = fields.length
  const watched = [...fields.map(({ path }) => path), ...(timeField === undefined ? [] : [timeField])]
  const reader = createKeyReader([...candidates.map(originOf), ...transactionKeys], watched.map(pointerOf), random)
  const counters = candidates.map((_candidate, number) => new CandidateCounter(number, reader.definitions[number]))
  const active: (CandidateCounter | null)[] = [...counters]
  const fieldCounters = fields.map((field) => new FieldCounter(field))
  const groupCounters = transactions.map(() => new TransactionCounter(candidates.length))
  const reservoir = new ReservoirFiller(reservoirSize, candidates.length, timeField !== undefined, random)
  const halves = new HalfCounts([
    ...counters.map((counter) => () => counter.coarseSlices()),
    ...fieldCounters.map((counter) => () => counter.presence())
  ])
  const words = new Int32Array(4)
  const groupWords = new Int32Array(4)
  const inGroup = transactions.map(() => false)
  let [records, bytesInAll, invalid, keysInMemory] = [0, 0, 0, 0]

  return {
    add,
    drop,
    peek: (candidate) => active[candidate]?.finish(null) ?? null,
    finish
  }

  function add(bytes: Uint8Array, start = 0, end: number = bytes.length, source?: Source): void {
    if (!reader.read(bytes, start, end, source)) {
      invalid++
      return
    }
    const size = end - start
    records++
    bytesInAll += size
    countFields()
    const isKept = reservoir.begin(size)
    if (isKept && timeField !== undefined) reservoir.setTime(instantOf(reader.field(timeNumber)))
    for (let each = 0; each < groupCounters.length; each++)
      inGroup[each] = beginGroup(groupCounters[each], candidates.length + each)
    for (let candidate = 0; candidate < active.length; candidate++) {
      const counter = active[candidate]
      if (counter === null) continue
      const before = counter.size
      const hasKey = counter.add(reader, words, size)
      keysInMemory += counter.size - before
      if (isKept) reservoir.setKey(candidate, words[3], hasKey ? keptPosition(counter.positionOf(words)) : NO_KEY)
      for (let each = 0; each < inGroup.length; each++)
        if (inGroup[each]) groupCounters[each].setKey(candidate, hasKey ? words[3] : 0)
    }
    if (keysInMemory > maxKeys) shrinkLargest()
    halves.after(records)
  }

  function countFields(): void {
    const whole = reader.whole()
    for (let field = 0; field < fieldCounters.length; field++)
      fieldCounters[field].add(whole, reader.startOf(field), reader.endOf(field))
  }

  function beginGroup(counter: TransactionCounter, key: number): boolean {
    if (reader.isMissing(key) || reader.hash(key, groupWords) !== undefined) return false
    return counter.begin(groupWords[2], groupWords[3])
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

function originOf({ plan, partitionKeyPaths, hashVersion = 2 }: KeyCandidate): KeyOrigin {
  return plan === null ? { paths: partitionKeyPaths.map(pointerOf), version: hashVersion } : { plan }
}

function pointerOf(path: string): Pointer {
  const pointer = parsePointer(path)
  if (pointer === undefined)
    throw new KeystampError('OPTION_INVALID', `${JSON.stringify(path)} is not a JSON pointer: write "/a/b" for b in a.`)
  return pointer
}
