import type { FieldPath } from './field-path.ts'

/** A key plan as it is written down: JSON that writers and readers share. `R` is the type of the records, where it is known. */
export type PlanDefinition<R = unknown> = (FlatDefinition<R> | LevelsDefinition<R>) & VersionDefinition<R>

interface VersionDefinition<R> {
  /** For editors; not read. */
  readonly $schema?: string
  /** How ids are made. Default: the record carries its own, as text. */
  readonly id?: IdDefinition<R>
  /** The hash version of the container's key definition. Default: 2. */
  readonly hashVersion?: 1 | 2
  /** `injective` never gives two different records' components one key; `plain` joins bare, for existing data. Default: `injective`. */
  readonly encoding?: 'injective' | 'plain'
  /** Older versions of this plan, newest first, each with the boundary before which it applies. */
  readonly previous?: readonly PreviousDefinition<R>[]
}

/** A plan of one level, written without a list around it. */
export interface FlatDefinition<R = unknown> extends LevelDefinition<R> {
  readonly levels?: never
}

/** A hierarchical key: one to three levels. */
export interface LevelsDefinition<R = unknown> {
  readonly levels: readonly LevelDefinition<R>[]
  readonly into?: never
  readonly from?: never
}

/** One level of the key. */
export interface LevelDefinition<R = unknown> {
  /** The container's key path, and where the key is written. `/id` only as the last of several levels, from `[{ id: true }]`. */
  readonly into: string
  readonly from: readonly ComponentDefinition<R>[]
  /** One ASCII punctuation character between the components. Default: `-`. */
  readonly separator?: string
  readonly suffix?: SuffixDefinition<R>
  /** What to do when the record already carries the member. Default: `verify`. */
  readonly existing?: Existing
  /** What to do with a key longer than Cosmos DB takes: reject the record, or keep a head and a hash. Default: `reject`. */
  readonly tooLong?: 'reject' | 'hash'
}

export type Existing = 'verify' | 'overwrite' | 'keep'

export type ComponentType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'uuid'

export type ComponentDefinition<R = unknown> =
  | FieldDefinition<R>
  | { readonly literal: string }
  | BucketDefinition<R>
  | { readonly id: true }
  | KafkaDefinition

/** What to do with a record whose value cannot be taken: reject it, or use this text instead. */
export type Substitute = 'reject' | { readonly use: string }

interface Substitutes {
  /** For a record without the field. Default: `reject`. */
  readonly missing?: Substitute
  /** For a field that is empty text. `{ "use": "" }` takes it as is. Default: `reject`. */
  readonly empty?: Substitute
  /** For a field that is null. Default: `reject`. */
  readonly null?: Substitute
  /** For a value that the component does not take, such as an object or a text that is no time. Default: `reject`. */
  readonly wrongType?: Substitute
}

export interface FieldDefinition<R = unknown> extends Substitutes {
  /** JSON pointer into the record. */
  readonly field: FieldPath<R>
  /** Without it, text, numbers and booleans are taken by their canonical text. */
  readonly type?: ComponentType
  /** Takes text of digits for an integer, as CSV has it: `015` is 15. Only with the type `integer`. Default: false. */
  readonly coerce?: boolean
  /** Unicode normalization of text. Default: none. */
  readonly normalize?: 'NFC'
  /** JSON pointer into the Kafka key, read where the field is missing, as in a tombstone. */
  readonly orKey?: string
}

export interface BucketDefinition<R = unknown> extends Substitutes {
  /** `year`, `month`, `day`, `hour`, or `minute:N` where N divides 60. */
  readonly bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  /** The field that holds the time, or the record's own timestamp in Kafka. */
  readonly of: FieldPath<R> | { readonly kafka: 'timestamp' }
  /** `UTC`, an offset such as `+02:00`, or a named zone. Default: `UTC`. */
  readonly zone?: string
  /** What a number means. Without it only ISO 8601 text is taken. */
  readonly epoch?: 'seconds' | 'milliseconds' | 'microseconds'
  /** Takes text of digits for such a number, as CSV has it. Only with `epoch`. Default: false. */
  readonly coerce?: boolean
  readonly orKey?: string
}

export type KafkaDefinition =
  | { readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp' }
  | {
      readonly kafka: 'key'
      /** JSON pointer into it. Without: the whole key as text. */
      readonly field?: string
      /** For empty text. `{ "use": "" }` takes it as is. Default: `reject`. */
      readonly empty?: Substitute
    }
  | { readonly kafka: 'header'; readonly name: string; readonly empty?: Substitute }

/** A field that a suffix is computed from: its JSON pointer, or a component with its policies. */
export type HashedField<R = unknown> = FieldPath<R> | FieldDefinition<R>

export interface SuffixDefinition<R = unknown> {
  /** A field or several (hashed), `offset` (topic, partition, offset), or `random`. */
  readonly by: HashedField<R> | readonly HashedField<R>[] | 'offset' | 'random'
  /** How many suffixes: 1 to 1,000,000; even labels: 1 to 10,000. */
  readonly count: number
  /** Default: `.`. */
  readonly separator?: string
  /** `even` puts one suffix into each of `count` equal slices of the hash space. Default: `numbered`. */
  readonly labels?: 'numbered' | 'even'
}

export interface IdDefinition<R = unknown> {
  readonly from: readonly ComponentDefinition<R>[]
  /** Empty: the parts stand bare, and what tells them apart is a literal between them. Default: `-`. */
  readonly separator?: string
  /** `lossless` escapes what Cosmos DB cannot store reversibly; `underscore` replaces it as Microsoft's connectors do. Default: `lossless`. */
  readonly escape?: 'lossless' | 'underscore'
  /** Default: `verify`. */
  readonly existing?: Existing
}

export interface PreviousDefinition<R = unknown> {
  /** An immutable property of the record, and the value before which the older plan applies. */
  readonly until: { readonly field: FieldPath<R>; readonly before: string | number }
  readonly plan: PlanDefinition<R>
}
