/** What stops the work: the sentence's pattern, its cause and the remedy. `docs/errors.md` is made from this table. */
export const ERROR_CODES = {
  PLAN_INVALID: {
    sentence: 'The key plan has N mistakes, each with its place.',
    cause: 'A member is unknown, missing, of the wrong type, or contradicts another.',
    remedy: 'Mend each named place; where a name is close to a known one, that one is suggested.'
  },
  RANDOM_MISSING: {
    sentence: 'The plan draws random suffixes, but no randomness was handed in.',
    cause: '`createPlan` keeps no randomness of its own.',
    remedy: 'Call `createPlan(plan, { random: Math.random })`, or compute the suffix from a field.'
  },
  PARTS_MISSING: {
    sentence: 'The key cannot be computed from these parts.',
    cause: 'A component or the suffix needs a value that the parts do not hold.',
    remedy: 'Give the named member, or ask `keysFor` for every key that the known parts can mean.'
  },
  KEYS_UNBOUNDED: {
    sentence: 'The known parts leave more keys open than can be listed.',
    cause: 'A component that can take any value is unknown, or the list would pass its limit.',
    remedy: 'Give the named member, or a narrower `between` for time buckets.'
  },
  HASH_INPUT_INVALID: {
    sentence: 'These values cannot be hashed as a partition key.',
    cause: 'A key is made of text, finite numbers, booleans, null or nothing, and has one value a level.',
    remedy: 'Check the values against the container’s key paths.'
  },
  INVARIANT_BROKEN: {
    sentence: 'A promise of Keystamp’s own does not hold.',
    cause: 'A mistake in Keystamp, or a caller that broke the order of calls.',
    remedy: 'Stop, keep the data, and report it with the code that called.'
  }
} as const

export type ErrorCode = keyof typeof ERROR_CODES
