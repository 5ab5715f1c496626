/** One component of a key or an id. */
export type ComponentDefinition<R = unknown> =
  | LiteralDefinition
  | IdComponentDefinition
  | KafkaDefinition
  | BucketDefinition<R>
  | FieldDefinition<R>

/** Action for a value that cannot be part of a key: reject the record, or use this string instead. */
type Substitute = 'reject' | SubstituteText

interface SubstituteText {
  /** String to use instead. */
  readonly use: string
}

/** A field of the record. A field that may be missing, null, an object or an array needs a rule for that case. */
export type FieldDefinition<R = unknown> = unknown extends R ? AnyField : FieldByNeed<R>

/** Time bucket of a time, such as its day. */
type BucketDefinition<R = unknown> = unknown extends R ? AnyBucket : BucketByNeed<R>

export type ComponentType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'uuid'

interface LiteralDefinition {
  /** A string that is the same for every record. */
  readonly literal: string
}

interface IdComponentDefinition {
  /** The document's id. */
  readonly id: true
}

type KafkaDefinition = KafkaCoordinate | KafkaKey | KafkaKeyField | KafkaHeader

interface KafkaCoordinate {
  /** Coordinate of the Kafka record: its topic, partition, offset or timestamp. */
  readonly kafka: 'topic' | 'partition' | 'offset' | 'timestamp'
}

interface KafkaKey extends EmptyRule {
  /** Key of the Kafka record: the whole key as a string; with `field`, a field of a key that is JSON. */
  readonly kafka: 'key'
}

interface KafkaKeyField extends KafkaKey, FieldPointer {}

interface KafkaHeader extends EmptyRule {
  /** Header of the Kafka record, as a string. */
  readonly kafka: 'header'
  /** The name of the header. */
  readonly name: string
}

// Properties that several components have are declared once: an editor shows the documentation of one declaration, but
// not of several.

interface FieldPointer {
  /** JSON pointer such as `/deviceId` or `/vehicle/vin`. */
  readonly field: string
}

interface EmptyRule {
  /** For an empty string. `{ use: '' }` uses the empty string itself. Default: `reject`. */
  readonly empty?: Substitute
}

interface Substitutes extends EmptyRule {
  /** For a record without the field. Default: `reject`. */
  readonly missing?: Substitute
  /** For a field that is null. Default: `reject`. */
  readonly null?: Substitute
  /**
   * For a value that the component does not accept, such as an object or a string that is not a time. Default:
   * `reject`.
   */
  readonly wrongType?: Substitute
}

interface ReadingRules extends Substitutes {
  /**
   * Accepts strings of digits for an `integer`, and for a time with `epoch`, as in CSV: `015` is 15. Default: false.
   */
  readonly coerce?: boolean
  /** JSON pointer into the Kafka key, which is read if the field is missing, as in a tombstone. */
  readonly orKey?: string
}

interface FieldRules extends ReadingRules {
  /**
   * Type of the value; values of another type are rejected. Default: strings, numbers and booleans are accepted in
   * their canonical form.
   */
  readonly type?: ComponentType
  /** Unicode normalization of strings. Default: none. */
  readonly normalize?: 'NFC'
}

interface BucketRules extends ReadingRules {
  /** `year`, `month`, `day`, `hour`, or `minute:N` where N divides 60. */
  readonly bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  /** `UTC`, an offset such as `+02:00`, or a named zone. Default: `UTC`. */
  readonly zone?: string
  /** Unit of numbers, counted since 1970. Default: only ISO 8601 strings are accepted. */
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

// If no member of these unions fits, a compiler names their intersection: the fields that need no rule, and the rules
// that the other fields need. Both unions are written out, because a compiler shows the name of a type alias instead of
// its members.

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

// `NeedsMissing<never>`, a type without values, keeps the compiler from using these unions of strings as discriminants.
// With them it would select the wrong member.
type Fields<R, Need extends FieldNeed> = FieldsWithNeed<R, Need> | NeedsMissing<never>

declare const NEEDED: unique symbol

/** Shown by compilers: a component of one of these fields needs a rule for records without the field. */
interface NeedsMissing<Path> {
  readonly [NEEDED]: ['missing', Path]
}

/** Shown by compilers: a component of one of these fields needs a rule for null. */
interface NeedsNull<Path> {
  readonly [NEEDED]: ['null', Path]
}

/** Shown by compilers: a component of one of these fields needs a rule for objects and arrays. */
interface NeedsWrongType<Path> {
  readonly [NEEDED]: ['wrongType', Path]
}

/**
 * Every JSON pointer into a record of type R, down to six levels; plain `string` if the type is not known. So the
 * compiler rejects a plan with a field that the record type lacks.
 */
export type FieldPath<R> = unknown extends R ? string : Entries<R>[0]

/** Fields of R that need exactly these rules. Each need is one string, so that the compiler compares it exactly. */
export type FieldsWithNeed<R, Need extends FieldNeed> = WithNeed<Entries<R>, Need>

/** Rules that a field of a component needs: for values that its type allows but that cannot be part of a key. */
type FieldNeed = 'none' | 'missing' | 'null' | 'missing and null' | 'wrongType' | 'all'

type WithNeed<Entry, Need> = Entry extends readonly [infer Path, infer Its] ? (Its extends Need ? Path : never) : never

type Entries<R> = Walk<R, [1, 1, 1, 1, 1, 1], '', never>

/** Pairs of a pointer and the need of its value. `Gap` is undefined below a property that may be missing. */
type Walk<R, Depth extends readonly unknown[], Base extends string, Gap> = Depth extends readonly [
  unknown,
  ...infer Less
]
  ? R extends readonly (infer Element)[]
    ? EntriesAt<`${Base}/${number}`, Element, Less, Gap>
    : R extends object
      ? { [Name in keyof R & string]-?: EntriesAt<`${Base}/${Escaped<Name>}`, R[Name], Less, Gap> }[keyof R & string]
      : never
  : never

type EntriesAt<Path extends string, Value, Less extends readonly unknown[], Gap> =
  | readonly [Path, NeedOf<Value | Gap>]
  | (unknown extends Value
      ? readonly [`${Path}/${string}`, 'none']
      : Walk<Inner<Value>, Less, Path, Gap | GapBelow<Value>>)

// a pointer cannot lead into a scalar, even if the type of the scalar has a brand
type Inner<Value> = Exclude<Value, Scalar | null | undefined>

type GapBelow<Value> = [Extract<Value, null | undefined>] extends [never] ? never : undefined

/** Types that JSON writes as a string, a number or a boolean. */
type Scalar = string | number | bigint | boolean | Date

type NeedOf<Value> = unknown extends Value
  ? 'none'
  : [Inner<Value>] extends [never]
    ? NeedOfScalar<Value>
    : [NeedOfScalar<Value>] extends ['none']
      ? 'wrongType'
      : 'all'

type NeedOfScalar<Value> = IsStrict extends false
  ? 'none'
  : undefined extends Value
    ? null extends Value
      ? 'missing and null'
      : 'missing'
    : null extends Value
      ? 'null'
      : 'none'

// without strictNullChecks every type allows undefined
type IsStrict = undefined extends string ? false : true

type Escaped<Name extends string> = Replaced<Replaced<Name, '~', '~0'>, '/', '~1'>

type Replaced<
  Text extends string,
  From extends string,
  To extends string
> = Text extends `${infer Head}${From}${infer Tail}` ? `${Head}${To}${Replaced<Tail, From, To>}` : Text
