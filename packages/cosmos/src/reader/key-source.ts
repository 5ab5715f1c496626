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
  /** The key of the record with these parts, newest version first. Throws PARTS_MISSING. */
  readonly exact: (parts: object, source?: Source) => readonly PartitionKey[]
  /** Every key that records with these parts can have. Throws KEYS_UNBOUNDED. */
  readonly every: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /**
   * Filter for the documents under those keys. Throws OPTION_INVALID for a part that is no field of the key or the id.
   */
  readonly filter: (parts: object, options?: KeysForOptions) => PartsFilter
  /** The id, where the parts determine it. */
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

/** Finds keys and ids by a plan. */
export function createKeySource(plan: Plan): KeySource {
  // a missing part is a missing field, where the plan has a default for it: then the other keys cannot be listed
  function everyKey(parts: object, source: Source | undefined): readonly PartitionKey[] {
    try {
      return plan.keysFor(parts, source === undefined ? {} : { source })
    } catch (error) {
      if (isKeystampError(error)) return []
      throw error
    }
  }

  // `between` filters, and does not select among given keys
  function heldKey(parts: object, { source }: KeysForOptions = {}): PartitionKey | undefined {
    return plan.filterFor(parts, source === undefined ? {} : { source }).key
  }

  return {
    exact: (parts, source) => {
      const held = heldKey(parts, source === undefined ? {} : { source })
      if (held?.values.length === plan.partitionKey.paths.length) return [held]
      const { older, ...newest } = plan.keyFor(parts, source)
      const exact = [newest, ...older]
      const texts = new Set(exact.map(textOf))
      // a random suffix is different at each call: then the key is one of many
      const isOneOfMany = everyKey(parts, source).some((key) => !texts.has(textOf(key)))
      if (isOneOfMany)
        throw new KeystampError(
          'PARTS_MISSING',
          'The suffix was drawn at random: these parts have many keys, and `readAll` asks them all.'
        )
      return exact
    },
    every: (parts, options) => {
      const held = heldKey(parts, options)
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

/** Finds keys without a plan: at the container's own key paths. */
export function createContainerKeys(paths: readonly string[]): KeySource {
  const levels = paths.map(membersOfPath)

  // the first unknown level ends the key: a query can use the levels above it
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

const NO_BUCKETS = '`between` needs the time bucket of a plan; without one a condition on a field goes into `where`.'

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
    `The container is split by ${path}, and the parts hold no string, number or boolean there.`
  )
}
