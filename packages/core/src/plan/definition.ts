import type { ComponentDefinition, FieldDefinition, FieldPath, FieldsWithNeed } from './component-definition.ts'

/** A key plan as JSON, which writers and readers share. `R` is the type of the records, if it is known. */
export type PlanDefinition<R = unknown> = (FlatDefinition<R> | LevelsDefinition<R>) & VersionDefinition<R>

/**
 * Type of an argument that is a definition. `D` is inferred as the literal that is passed, but the argument is checked
 * as a PlanDefinition, so that an editor shows the documentation of each property, and a compiler names the valid
 * properties. A literal that fits the record type has already passed the check by the constraint of `D`. Its type is
 * the definition for any record, because an editor shows no documentation of a property that differs between the
 * components of the union.
 */
export type DefinitionOf<R, D> = unknown extends D
  ? D
  : [D] extends [PlanDefinition]
    ? PlanDefinition
    : PlanDefinition<R>

interface VersionDefinition<R> {
  /** For editors; not read. */
  readonly $schema?: string
  /** How ids are made. Default: the record has its own id, a string. */
  readonly id?: IdDefinition<R>
  /** Hash version in the container's partition key definition. Default: 2. */
  readonly hashVersion?: 1 | 2
  /**
   * `injective`: different components never make the same key. `plain` joins components without an escape, for existing
   * data. Default: `injective`.
   */
  readonly encoding?: 'injective' | 'plain'
  /** Older versions of this plan, newest first. Each has the boundary before which it applies. */
  readonly previous?: readonly PreviousDefinition<R>[]
}

/** A plan of one level, written without a list around it. */
export interface FlatDefinition<R = unknown> extends LevelDefinition<R> {
  readonly levels?: never
}

/** A hierarchical key: one to three levels. */
export interface LevelsDefinition<R = unknown> {
  /** The levels of the key, each with its own components. */
  readonly levels: readonly LevelDefinition<R>[]
  readonly into?: never
  readonly from?: never
}

/** One level of the key. */
export interface LevelDefinition<R = unknown> {
  /**
   * Partition key path of the container; the plan writes the key there. `/id` is only allowed as the last of several
   * levels, with `from: [{ id: true }]`.
   */
  readonly into: string
  /** Components of the key, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components. Default: `-`. */
  readonly separator?: string
  /** Spreads one base key over several keys. Default: no suffix. */
  readonly suffix?: SuffixDefinition<R>
  /** Action if the record already has the property. Default: `verify`. */
  readonly existing?: Existing
  /**
   * Action for a key longer than Cosmos DB allows: reject the record, or keep its beginning and a hash. Default:
   * `reject`.
   */
  readonly tooLong?: 'reject' | 'hash'
}

export type Existing = 'verify' | 'overwrite' | 'keep'

export interface SuffixDefinition<R = unknown> {
  /**
   * A field or several fields, which are hashed; `offset`, which hashes topic, partition and offset; or `random`. Not
   * used for a base key that has only one suffix.
   */
  readonly by:
    | (unknown extends R ? string : FieldsWithNeed<R, 'none'>)
    | FieldDefinition<R>
    | readonly ((unknown extends R ? string : FieldsWithNeed<R, 'none'>) | FieldDefinition<R>)[]
    | 'offset'
    | 'random'
  /** Number of suffixes: 1 to 1,000,000; with even labels, 1 to 10,000. */
  readonly count: number
  /** One ASCII punctuation character before the suffix. Default: `.`. */
  readonly separator?: string
  /** `even` puts one suffix into each of `count` equal slices of the hash space. Default: `numbered`. */
  readonly labels?: 'numbered' | 'even'
  /**
   * Values that need another number of suffixes than `count`, each with its number: `{ "tenant-0": 16 }`. They are
   * values of one component of the key, in the form that the key has without escapes. At most 10,000.
   */
  readonly hot?: Readonly<Record<string, number>>
  /** Number of the component whose values are in `hot`: 1 for the first. Default: 1. */
  readonly on?: number
}

export interface IdDefinition<R = unknown> {
  /** Components of the id, in this order. */
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components; empty for none. Default: `-`. */
  readonly separator?: string
  /**
   * `lossless` escapes, reversibly, the characters that Cosmos DB cannot store. `underscore` replaces them by
   * underscores, as Microsoft's connectors do. Default: `lossless`.
   */
  readonly escape?: 'lossless' | 'underscore'
  /** Action if the record already has another id. Default: `verify`. */
  readonly existing?: Existing
}

export interface PreviousDefinition<R = unknown> {
  /** An immutable property of the record, and the value before which the older plan applies. */
  readonly until: {
    /** JSON pointer to a number or a time that never changes. */
    readonly field: FieldPath<R>
    /** The older plan applies to records below this number, or before this time. */
    readonly before: string | number
  }
  /** The older version. It cannot have `previous` itself. */
  readonly plan: PlanDefinition<R>
}
