/**
 * Every JSON pointer into a record of type R, down to six levels; plain `string` where the type is not known.
 * A plan that names a field its record type lacks does not compile.
 */
export type FieldPath<R> = unknown extends R ? string : Entries<R>[0]

/** Fields of R that a component may name when it has these rules; each need is one word, so that it is looked up exactly. */
export type FieldsWithNeed<R, Need extends FieldNeed> = WithNeed<Entries<R>, Need>

/** Rules that a field of a component needs: for values that its type allows but that cannot be part of a key. */
export type FieldNeed = 'none' | 'missing' | 'null' | 'missing and null' | 'wrongType' | 'all'

type WithNeed<Entry, Need> = Entry extends readonly [infer Path, infer Its] ? (Its extends Need ? Path : never) : never

type Entries<R> = Walk<R, [1, 1, 1, 1, 1, 1], '', never>

/** Pairs of a pointer and the need of its value. `Gap` is undefined below a property that may be missing. */
type Walk<R, Depth extends readonly unknown[], Base extends string, Gap> = Depth extends readonly [unknown, ...infer Less]
  ? R extends readonly (infer Element)[]
    ? EntriesAt<`${Base}/${number}`, Element, Less, Gap>
    : R extends object
      ? { [Name in keyof R & string]-?: EntriesAt<`${Base}/${Escaped<Name>}`, R[Name], Less, Gap> }[keyof R & string]
      : never
  : never

type EntriesAt<Path extends string, Value, Less extends readonly unknown[], Gap> =
  | readonly [Path, NeedOf<Value | Gap>]
  | (unknown extends Value ? readonly [`${Path}/${string}`, 'none'] : Walk<Inner<Value>, Less, Path, Gap | GapBelow<Value>>)

// a pointer cannot lead into a scalar, not even where its type has a brand
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

type Replaced<Text extends string, From extends string, To extends string> = Text extends `${infer Head}${From}${infer Tail}`
  ? `${Head}${To}${Replaced<Tail, From, To>}`
  : Text
