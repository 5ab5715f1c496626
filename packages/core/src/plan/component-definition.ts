import type { FieldNeed, FieldsWithNeed } from './field-path.ts'

/** One component of a key or an id. */
export type ComponentDefinition<R = unknown> =
  | LiteralDefinition
  | IdComponentDefinition
  | KafkaDefinition
  | BucketDefinition<R>
  | FieldDefinition<R>

/** What to do with a record whose value is not one to make a key of: reject it, or use this text instead. */
export type Substitute = 'reject' | SubstituteText

interface SubstituteText {
  /** The text to use instead. */
  readonly use: string
}

/** A field of the record. One that may be missing, null, an object or an array has to say what happens then. */
export type FieldDefinition<R = unknown> = unknown extends R ? AnyField : FieldByNeed<R>

/** The stretch of time that a moment lies in. */
export type BucketDefinition<R = unknown> = unknown extends R ? AnyBucket : BucketByNeed<R>

export type ComponentType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'uuid'

interface LiteralDefinition {
  /** A text that is the same for every record. */
  readonly literal: string
}

interface IdComponentDefinition {
  /** The document's id. */
  readonly id: true
}

export type KafkaDefinition = KafkaCoordinate | KafkaKey | KafkaKeyField | KafkaHeader

interface KafkaCoordinate {
  /** Where the record stands in Kafka: its topic, partition, offset or timestamp. */
  readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp'
}

interface KafkaKey extends EmptyRule {
  /** The key of the Kafka record: the whole of it as text; with `field`, a field of it as JSON. */
  readonly kafka: 'key'
}

interface KafkaKeyField extends KafkaKey, FieldPointer {}

interface KafkaHeader extends EmptyRule {
  /** A header of the Kafka record, as text. */
  readonly kafka: 'header'
  /** The name of the header. */
  readonly name: string
}

// Members that several components have are declared once: an editor shows the documentation of one declaration, and none of several.

interface FieldPointer {
  /** JSON pointer such as `/deviceId` or `/vehicle/vin`. */
  readonly field: string
}

interface EmptyRule {
  /** For empty text. `{ use: '' }` takes it as is. Default: `reject`. */
  readonly empty?: Substitute
}

interface Substitutes extends EmptyRule {
  /** For a record without the field. Default: `reject`. */
  readonly missing?: Substitute
  /** For a field that is null. Default: `reject`. */
  readonly null?: Substitute
  /** For a value that the component does not take, such as an object or a text that is no time. Default: `reject`. */
  readonly wrongType?: Substitute
}

interface ReadingRules extends Substitutes {
  /** Takes text of digits for an `integer`, and for a time with `epoch`, as CSV has it: `015` is 15. Default: false. */
  readonly coerce?: boolean
  /** JSON pointer into the Kafka key, read where the field is missing, as in a tombstone. */
  readonly orKey?: string
}

interface FieldRules extends ReadingRules {
  /** The type of the value; any other is refused. Default: text, numbers and booleans are taken by their canonical text. */
  readonly type?: ComponentType
  /** Unicode normalization of text. Default: none. */
  readonly normalize?: 'NFC'
}

interface BucketRules extends ReadingRules {
  /** `year`, `month`, `day`, `hour`, or `minute:N` where N divides 60. */
  readonly bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  /** `UTC`, an offset such as `+02:00`, or a named zone. Default: `UTC`. */
  readonly zone?: string
  /** What a number counts since 1970. Without it only ISO 8601 text is taken. */
  readonly epoch?: 'seconds' | 'milliseconds' | 'microseconds'
}

interface AnyField extends FieldPointer, FieldRules {}

interface AnyBucket extends TimeOf<string | KafkaTimestamp>, BucketRules {}

interface FieldAt<Path> {
  /** JSON pointer into the record. */
  readonly field: Path
}

interface TimeOf<Path> {
  /** The field that holds the time, or the record's own timestamp in Kafka. */
  readonly of: Path
}

interface KafkaTimestamp {
  readonly kafka: 'timestamp'
}

// Of these unions a compiler names the intersection where nothing fits: it lists the fields that need nothing, and what the others need.
// Written out in both, since a compiler shows the name of a type in place of what it lists.

type FieldByNeed<R> =
  | FieldStatingAll<Fields<R, 'all'>>
  | FieldStatingWrongType<Fields<R, 'wrongType'>>
  | FieldStatingMissingAndNull<Fields<R, 'missing and null'>>
  | FieldStatingNull<Fields<R, 'null'>>
  | FieldStatingMissing<Fields<R, 'missing'>>
  | (FieldAt<
      | FieldsWithNeed<R, 'none'>
      | NeedsMissing<FieldsWithNeed<R, 'missing' | 'missing and null' | 'all'>>
      | NeedsNull<FieldsWithNeed<R, 'null' | 'missing and null' | 'all'>>
      | NeedsWrongType<FieldsWithNeed<R, 'wrongType' | 'all'>>
    > &
      FieldRules)

type BucketByNeed<R> =
  | BucketStatingAll<Fields<R, 'all'>>
  | BucketStatingWrongType<Fields<R, 'wrongType'>>
  | BucketStatingMissingAndNull<Fields<R, 'missing and null'>>
  | BucketStatingNull<Fields<R, 'null'>>
  | BucketStatingMissing<Fields<R, 'missing'>>
  | (TimeOf<
      | FieldsWithNeed<R, 'none'>
      | NeedsMissing<FieldsWithNeed<R, 'missing' | 'missing and null' | 'all'>>
      | NeedsNull<FieldsWithNeed<R, 'null' | 'missing and null' | 'all'>>
      | NeedsWrongType<FieldsWithNeed<R, 'wrongType' | 'all'>>
      | KafkaTimestamp
    > &
      BucketRules)

interface FieldStatingAll<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
  readonly null: Substitute
  readonly wrongType: Substitute
}

interface FieldStatingWrongType<Path> extends FieldAt<Path>, FieldRules {
  readonly wrongType: Substitute
}

interface FieldStatingMissingAndNull<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
  readonly null: Substitute
}

interface FieldStatingNull<Path> extends FieldAt<Path>, FieldRules {
  readonly null: Substitute
}

interface FieldStatingMissing<Path> extends FieldAt<Path>, FieldRules {
  readonly missing: Substitute
}

interface BucketStatingAll<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
  readonly null: Substitute
  readonly wrongType: Substitute
}

interface BucketStatingWrongType<Path> extends TimeOf<Path>, BucketRules {
  readonly wrongType: Substitute
}

interface BucketStatingMissingAndNull<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
  readonly null: Substitute
}

interface BucketStatingNull<Path> extends TimeOf<Path>, BucketRules {
  readonly null: Substitute
}

interface BucketStatingMissing<Path> extends TimeOf<Path>, BucketRules {
  readonly missing: Substitute
}

// A type that no value has keeps these unions of texts from telling the members apart, which a compiler would do by the wrong one.
type Fields<R, Need extends FieldNeed> = FieldsWithNeed<R, Need> | NeedsMissing<never>

declare const NEEDED: unique symbol

/** Shown by compilers: a component of one of these fields has to say what happens where it is missing. */
interface NeedsMissing<Path> {
  readonly [NEEDED]: ['missing', Path]
}

/** Shown by compilers: a component of one of these fields has to say what happens where it is null. */
interface NeedsNull<Path> {
  readonly [NEEDED]: ['null', Path]
}

/** Shown by compilers: a component of one of these fields has to say what happens where it is an object or an array. */
interface NeedsWrongType<Path> {
  readonly [NEEDED]: ['wrongType', Path]
}
