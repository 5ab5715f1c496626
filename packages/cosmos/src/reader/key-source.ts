import {
  checkParts,
  createPlan,
  type FieldCondition,
  isKeystampError,
  type KeysForOptions,
  KeystampError,
  type KeyValue,
  type PartitionKey,
  type PartsFilter,
  type Plan,
  type PlanDefinition,
  type Source
} from '@keystamp/core'
import { membersOfPath, valueAt } from '../client/container.ts'

/** Finds keys and ids for a reader. */
export interface KeySource {
  /**
   * Returns the key of the record with these parts under each version of the plan, newest first. Throws PARTS_MISSING.
   */
  readonly exact: (parts: object, source?: Source) => readonly PartitionKey[]
  /** Returns every key that records with these parts can have. Throws KEYS_UNBOUNDED. */
  readonly every: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /**
   * Creates a filter for the documents under these keys. Throws OPTION_INVALID for a part that is not a field of the
   * key or of the id.
   */
  readonly filter: (parts: object, options?: KeysForOptions) => PartsFilter
  /** Returns the id if the parts determine it. */
  readonly idOf: (parts: object, source?: Source) => string | undefined
}

/** A plan, or its definition. */
type GivenPlan = Plan | PlanDefinition

/** Compiles a definition; returns a plan as is. */
export function toPlan(given: GivenPlan): Plan {
  return typeof given === 'object' && given !== null && 'stampBytes' in given
    ? given
    : (createPlan(given, { random: Math.random }) as Plan)
}

/** Creates a source of keys and ids from a plan. */
export function createKeySource(plan: Plan): KeySource {
  // Returns no keys if they cannot be listed. Then a missing part counts as a missing field, for which the plan has a
  // substitute.
  function everyKey(parts: object, source: Source | undefined): readonly PartitionKey[] {
    try {
      return plan.keysFor(parts, source === undefined ? {} : { source })
    } catch (error) {
      if (isKeystampError(error)) return []
      throw error
    }
  }

  // `between` is left out: it filters documents, and does not select among given keys
  function keyInParts(parts: object, { source }: KeysForOptions = {}): PartitionKey | undefined {
    return plan.filterFor(parts, source === undefined ? {} : { source }).key
  }

  return {
    exact: (parts, source) => {
      const held = keyInParts(parts, source === undefined ? {} : { source })
      if (held?.values.length === plan.partitionKey.paths.length) return [held]
      const { older, ...newest } = plan.keyFor(parts, source)
      const exact = [newest, ...older]
      const texts = new Set(exact.map(textOf))
      // a random suffix differs at each call, so the key may be only one of many
      const isOneOfMany = everyKey(parts, source).some((key) => !texts.has(textOf(key)))
      if (isOneOfMany)
        throw new KeystampError(
          'PARTS_MISSING',
          'The suffix was random when the record was written, so these parts have many keys: use `readAll`, which queries all of them.'
        )
      return exact
    },
    every: (parts, options) => {
      const held = keyInParts(parts, options)
      return held === undefined ? plan.keysFor(parts, options) : [held]
    },
    filter: (parts, options) => plan.filterFor(parts, options),
    idOf: (parts, source) => {
      const stamped = plan.stamp(structuredClone(parts), source)
      if (stamped.ok && stamped.id !== undefined) return stamped.id
      return 'id' in parts && typeof parts.id === 'string' ? parts.id : undefined
    }
  }
}

function textOf({ values }: PartitionKey): string {
  return JSON.stringify(values)
}

/** Creates a source of keys without a plan: reads them at the key paths of the container. */
export function createContainerKeys(paths: readonly string[]): KeySource {
  const levels = paths.map(membersOfPath)

  // the key ends before the first unknown level: a query can use the levels above
  function keyOf(parts: object): PartitionKey {
    const values: KeyValue[] = []
    for (const members of levels) {
      const value = valueAt(parts, members)
      if (value === undefined) break
      if (!isKeyValue(value)) throw notAKey(members)
      values.push(value)
    }
    return { key: levels.length === 1 ? values[0] : values, values, version: 0 }
  }

  return {
    exact: (parts) => {
      const key = keyOf(parts)
      if (key.values.length < levels.length) throw missing('PARTS_MISSING', paths[key.values.length])
      return [key]
    },
    every: (parts) => {
      const key = keyOf(parts)
      if (key.values.length === 0) throw missing('KEYS_UNBOUNDED', paths[0])
      return [key]
    },
    filter: (parts, options) => {
      checkParts(parts, levels)
      if (options?.between !== undefined) throw new KeystampError('OPTION_INVALID', NO_BUCKETS)
      const given = [...levels, ['id']].flatMap((members) => {
        const value = valueAt(parts, members)
        if (value !== undefined && !isKeyValue(value)) throw notAKey(members)
        return value === undefined ? [] : { members, value }
      })
      const known = keyOf(parts).values.length
      return {
        matches: (document) => given.every(({ members, value }) => valueAt(document, members) === value),
        fields: given.map(({ members }) => pointerOf(members)),
        conditions: given
          .filter(({ members }) => levels.indexOf(members) >= known)
          .map(({ members, value }): FieldCondition => ({ kind: 'oneOf', field: members, values: [value] })),
        key: undefined,
        id: 'id' in parts && typeof parts.id === 'string' ? parts.id : undefined
      }
    },
    idOf: (parts) => ('id' in parts && typeof parts.id === 'string' ? parts.id : undefined)
  }
}

const NO_BUCKETS = '`between` needs a plan with a time bucket. Without a plan, use a condition on a field in `where`.'

function notAKey(members: readonly string[]): KeystampError {
  return new KeystampError(
    'OPTION_INVALID',
    `The part ${pointerOf(members)} must be a string, a finite number, a boolean or null.`
  )
}

function pointerOf(members: readonly string[]): string {
  return members.map((member) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

function isKeyValue(value: unknown): value is KeyValue {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

function missing(code: 'PARTS_MISSING' | 'KEYS_UNBOUNDED', path: string): KeystampError {
  return new KeystampError(
    code,
    `The partition key of the container is ${path}, but the parts have no string, number or boolean at this path.`
  )
}
