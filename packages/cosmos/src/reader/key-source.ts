import {
  createPlan,
  isKeystampError,
  KeystampError,
  type KeysForOptions,
  type PartitionKey,
  type PartsFilter,
  type Plan,
  type PlanDefinition,
  type Source
} from '@keystamp/core'

/** How a reader finds keys and ids. */
export interface KeySource {
  /** The key of the record with these parts, newest version first. Throws PARTS_MISSING. */
  readonly exact: (parts: object, source?: Source) => readonly PartitionKey[]
  /** Every key that the parts can mean. Throws KEYS_UNBOUNDED. */
  readonly every: (parts: object, options?: KeysForOptions) => readonly PartitionKey[]
  /** Which of the documents under those keys are meant. Throws OPTION_INVALID for a part that is no field of the key or the id. */
  readonly filter: (parts: object, options?: KeysForOptions) => PartsFilter
  /** The id, where the parts tell it. */
  readonly idOf: (parts: object, source?: Source) => string | undefined
}

/** A plan, or what it is written as. */
export type GivenPlan = Plan | PlanDefinition

/** Makes a plan of its definition; a plan stays what it is. */
export function toPlan(given: GivenPlan): Plan {
  return typeof given === 'object' && given !== null && 'stampBytes' in given ? given : (createPlan(given, { random: Math.random }) as Plan)
}

/** Looks keys and ids up in a plan. */
export function createKeySource(plan: Plan): KeySource {
  // a part that is left out is a field that is missing, where the plan has a text for that: then the other keys cannot be listed
  function everyKey(parts: object, source: Source | undefined): readonly PartitionKey[] {
    try {
      return plan.keysFor(parts, source === undefined ? {} : { source })
    } catch (error) {
      if (isKeystampError(error)) return []
      throw error
    }
  }

  // `between` filters, and does not choose among keys that are given
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
      // a random suffix is drawn anew at each call: then the key is one of many
      const isOneOfMany = everyKey(parts, source).some((key) => !texts.has(textOf(key)))
      if (isOneOfMany)
        throw new KeystampError('PARTS_MISSING', 'The suffix was drawn at random: these parts have many keys, and `readAll` asks them all.')
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
