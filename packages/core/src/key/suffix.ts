import { createLabelCache, sliceOf } from '../hash/even-labels.ts'
import { murmur32 } from '../hash/murmur32.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import type { Rejection } from '../errors/rejection.ts'
import type { FieldValue } from './field-value.ts'
import type { FieldRules, SuffixRules } from '../plan/rules.ts'
import { coordinates, type Source } from './kafka.ts'
import { compileComponent } from './component.ts'
import { type FieldTable, joinTexts, type MakeText } from './text-maker.ts'

/** Selects the suffix of a record: 1 to `count`. */
export type PickSlot = (values: readonly FieldValue[], source: Source | undefined) => number | Rejection

/** Compiled suffix: spreads the records of one base key over `count` slots, each with its label. */
export interface Suffix {
  readonly count: number
  readonly pick: PickSlot
  /** Label of a slot: the number after the separator. */
  readonly label: (base: string, slot: number) => number
  /** Slot of a label; undefined where no slot has it. */
  readonly slotOf: (base: string, label: number) => number | undefined
}

export function compileSuffix(rules: SuffixRules, hashVersion: 1 | 2, table: FieldTable, random: (() => number) | undefined): Suffix {
  const { count, labels } = rules
  const pick = compilePick(rules, table, random)
  if (labels === 'even') return { count, pick, ...evenSuffix(rules, hashVersion) }
  return { count, pick, label: (_base, slot) => slot, slotOf: (_base, label) => (label <= count ? label : undefined) }
}

function evenSuffix({ count, separator }: SuffixRules, hashVersion: 1 | 2): Pick<Suffix, 'label' | 'slotOf'> {
  const labelsOfPrefix = createLabelCache(count, hashVersion)
  let lastBase: string | undefined
  let lastLabels: Int32Array = new Int32Array(0)
  return { label: (base, slot) => labelsOf(base)[slot - 1], slotOf }

  // consecutive records mostly have the same base
  function labelsOf(base: string): Int32Array {
    if (base === lastBase) return lastLabels
    lastLabels = labelsOfPrefix(base + separator)
    lastBase = base
    return lastLabels
  }

  function slotOf(base: string, label: number): number | undefined {
    const slot = sliceOf(base + separator + label, count, hashVersion)
    return labelsOf(base)[slot - 1] === label ? slot : undefined
  }
}

/** Slot of a string. The same in every language, see docs/vectors. */
function hashSlot(text: string, count: number): number {
  return 1 + Math.floor((murmur32(text) * count) / 0x1_0000_0000)
}

function compilePick({ by, count }: SuffixRules, table: FieldTable, random: (() => number) | undefined): PickSlot {
  if (by === 'random') return () => 1 + Math.floor(randomNumber(random) * count)
  if (by === 'offset') {
    return (_values, source) => {
      const text = coordinates(source)
      return typeof text === 'string' ? hashSlot(text, count) : text
    }
  }
  const text = hashedText(by, table)
  return (values, source) => {
    const made = text(values, source, undefined)
    return typeof made === 'string' ? hashSlot(made, count) : made
  }
}

function hashedText(fields: readonly FieldRules[], table: FieldTable): MakeText {
  return joinTexts(
    fields.map((field, index) => compileComponent(field, { purpose: 'suffix', first: index === 0, reserved: '-' }, table)),
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
    throw new KeystampError('RANDOM_MISSING', 'The option `random` of createPlan must return numbers from 0 up to, but not including, 1.')
  return value
}
