import type { Rejection } from '../errors/rejection.ts'
import { compilePlan } from '../key/compile-plan.ts'
import type { Source } from '../key/field-value.ts'
import type { VersionOptions } from '../key/version.ts'
import {
  type ComponentRules,
  type FieldRules,
  type IdRules,
  type LevelRules,
  type PlanRules,
  type SuffixRules,
  takesAnyText
} from '../plan/rules.ts'
import { createDecode, type DecodedKey } from './decode.ts'
import { createFilterFor, type PartsFilter } from './filter-for.ts'
import { createKeyFor, createKeysFor, type ExactKey, type KeysForOptions } from './keys-for.ts'
import type { Key, PartitionKey } from './known-parts.ts'

/** Lookups for readers: the keys of a record or of a set of records, and the values that a key was made of. */
export interface Lookups {
  /** Returns the key of the record with these parts. Throws PARTS_MISSING if the parts do not determine the key. */
  readonly keyFor: (parts: object, source?: Source) => ExactKey
  /**
   * Lists every key under which documents with these parts can be stored. Throws KEYS_UNBOUNDED if there is no such
   * list.
   */
  readonly keysFor: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /**
   * Creates a filter for the documents under the keys of `keysFor`: it matches those with these parts and a time in the
   * interval. Throws OPTION_INVALID for a part that the plan does not read.
   */
  readonly filterFor: (parts: object, options?: KeysForOptions) => PartsFilter
  /** Splits a key into its parts. */
  readonly decode: (key: Key) => DecodedKey | Rejection
}

/** Compiles a plan for readers. */
export function createLookups(rules: PlanRules, options: VersionOptions): Lookups {
  const compiled = compilePlan(readerRules(rules), options)
  return {
    keyFor: createKeyFor(compiled),
    keysFor: createKeysFor(compiled),
    filterFor: createFilterFor(compiled),
    decode: createDecode(compiled)
  }
}

/**
 * Returns the rules for readers. Readers accept an empty string that the writer rejects, because documents with such
 * keys can exist: an older version, which did not reject them, or another program may have written them.
 */
function readerRules({ versions }: PlanRules): PlanRules {
  return {
    versions: versions.map((version) => ({
      ...version,
      levels: version.levels.map(readerLevel),
      id: version.id && readerId(version.id)
    }))
  }
}

function readerLevel(level: LevelRules): LevelRules {
  return { ...level, from: level.from.map(takeEmpty), suffix: level.suffix && readerSuffix(level.suffix) }
}

function readerId(id: IdRules): IdRules {
  return { ...id, from: id.from.map(takeEmpty) }
}

function readerSuffix(suffix: SuffixRules): SuffixRules {
  const { by } = suffix
  return typeof by === 'string' ? suffix : { ...suffix, by: by.map((field) => takeEmpty(field) as FieldRules) }
}

function takeEmpty(rules: ComponentRules): ComponentRules {
  if (rules.kind === 'kafka' && (rules.what === 'key' || rules.what === 'header'))
    return { ...rules, empty: rules.empty ?? '' }
  if (rules.kind !== 'field' || !takesAnyText(rules)) return rules
  return { ...rules, use: { ...rules.use, empty: rules.use.empty ?? '' } }
}
