import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import { createLabelCache, sliceOf } from '../hash/even-labels.ts'
import { murmur32 } from '../hash/murmur32.ts'
import type { ComponentRules, FieldRules, SuffixRules } from '../plan/rules.ts'
import { compileComponent, type FieldTable, joinTexts } from './component.ts'
import type { FieldValue, MakeText, Source } from './field-value.ts'
import { coordinates } from './kafka.ts'

/**
 * Compiled suffix: spreads the records of one base key over several suffixes. A slot is the number of a suffix; its
 * label is the number that the key contains.
 */
export interface Suffix {
  /** Numbers of suffixes that bases can have, each listed once. The number of most bases comes first. */
  readonly counts: readonly number[]
  /** Number of suffixes of the base of a record. */
  readonly countOf: (
    values: readonly FieldValue[],
    source: Source | undefined,
    id: string | undefined
  ) => number | Rejection
  /** Number of suffixes of a base, from the texts of its components without escapes. */
  readonly countOfTexts: (texts: readonly (string | undefined)[]) => number
  /** Selects the slot of a record: 1 to `count`. */
  readonly pick: PickSlot
  /** Label of a slot: the number after the separator. */
  readonly label: (base: string, slot: number, count: number) => number
  /** Slot of a label; undefined if no slot has this label. */
  readonly slotOf: (base: string, label: number, count: number) => number | undefined
}

type PickSlot = (values: readonly FieldValue[], source: Source | undefined, count: number) => number | Rejection

interface SuffixOptions {
  readonly hashVersion: 1 | 2
  readonly table: FieldTable
  readonly random: (() => number) | undefined
}

/** Compiles the suffix of a level whose base consists of `from`. */
export function compileSuffix(rules: SuffixRules, from: readonly ComponentRules[], options: SuffixOptions): Suffix {
  const { count, labels, hot } = rules
  const shared = {
    counts: [...new Set([count, ...(hot?.counts.values() ?? [])])],
    countOf: compileCount(rules, from, options.table),
    countOfTexts: (texts: readonly (string | undefined)[]) =>
      hot === undefined ? count : (hot.counts.get(texts[hot.on] ?? '') ?? count),
    pick: compilePick(rules, options)
  }
  if (labels === 'even') return { ...shared, ...evenLabeling(rules, options.hashVersion) }
  return {
    ...shared,
    label: (_base, slot) => slot,
    slotOf: (_base, label, max) => (label <= max ? label : undefined)
  }
}

/** Compares the text of the value before the key escapes, cuts or hashes it. */
function compileCount(
  { count, hot }: SuffixRules,
  from: readonly ComponentRules[],
  table: FieldTable
): Suffix['countOf'] {
  if (hot === undefined) return () => count
  const { counts, on } = hot
  const textOf = compileComponent(from[on], { purpose: 'key', first: on === 0, reserved: '' }, table)
  return (values, source, id) => {
    const text = textOf(values, source, id)
    return typeof text === 'string' ? (counts.get(text) ?? count) : text
  }
}

function evenLabeling({ separator }: SuffixRules, hashVersion: 1 | 2): Pick<Suffix, 'label' | 'slotOf'> {
  const caches = new Map<number, (prefix: string) => Int32Array>()
  let lastBase: string | undefined
  let lastLabels: Int32Array = new Int32Array(0)
  return { label: (base, slot, count) => labelsOf(base, count)[slot - 1], slotOf }

  // caches the last base, because consecutive records mostly have the same base
  function labelsOf(base: string, count: number): Int32Array {
    if (base === lastBase && lastLabels.length === count) return lastLabels
    lastLabels = cacheOf(count)(base + separator)
    lastBase = base
    return lastLabels
  }

  function cacheOf(count: number): (prefix: string) => Int32Array {
    const known = caches.get(count)
    if (known !== undefined) return known
    const made = createLabelCache(count, hashVersion)
    caches.set(count, made)
    return made
  }

  function slotOf(base: string, label: number, count: number): number | undefined {
    const slot = sliceOf(base + separator + label, count, hashVersion)
    return labelsOf(base, count)[slot - 1] === label ? slot : undefined
  }
}

/**
 * Slot of a string, computed from its hash. Implementations in all languages compute the same slot, see docs/vectors.
 */
function hashSlot(text: string, count: number): number {
  return 1 + Math.floor((murmur32(text) * count) / 0x1_0000_0000)
}

function compilePick({ by }: SuffixRules, { table, random }: SuffixOptions): PickSlot {
  if (by === 'random') return (_values, _source, count) => 1 + Math.floor(randomNumber(random) * count)
  if (by === 'offset') {
    return (_values, source, count) => {
      const text = coordinates(source)
      return typeof text === 'string' ? hashSlot(text, count) : text
    }
  }
  const text = hashedText(by, table)
  return (values, source, count) => {
    const made = text(values, source, undefined)
    return typeof made === 'string' ? hashSlot(made, count) : made
  }
}

function hashedText(fields: readonly FieldRules[], table: FieldTable): MakeText {
  return joinTexts(
    fields.map((field, index) =>
      compileComponent(field, { purpose: 'suffix', first: index === 0, reserved: '-' }, table)
    ),
    '-'
  )
}

function randomNumber(random: (() => number) | undefined): number {
  const value = random?.()
  if (value === undefined)
    throw new KeystampError(
      'RANDOM_MISSING',
      'The plan has random suffixes: call createPlan(plan, { random: Math.random }), or compute the suffix from a field.'
    )
  if (!(value >= 0 && value < 1))
    throw new KeystampError(
      'RANDOM_MISSING',
      'The option `random` of createPlan must return numbers from 0 up to, but not including, 1.'
    )
  return value
}
