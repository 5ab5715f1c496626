/**
 * Every JSON pointer into a record of type R, down to six levels; plain `string` where the type is not known.
 * A plan that names a field its record type lacks does not compile.
 */
export type FieldPath<R> = unknown extends R ? string : Walk<R, [1, 1, 1, 1, 1, 1]>

type Walk<R, Depth extends readonly unknown[]> = Depth extends readonly [unknown, ...infer Less]
  ? R extends readonly (infer Element)[]
    ? `/${number}` | `/${number}${Walk<Element, Less>}`
    : R extends object
      ? { [Name in keyof R & string]: `/${Escaped<Name>}` | `/${Escaped<Name>}${Walk<NonNullable<R[Name]>, Less>}` }[keyof R & string]
      : never
  : never

type Escaped<Name extends string> = Replaced<Replaced<Name, '~', '~0'>, '/', '~1'>

type Replaced<Text extends string, From extends string, To extends string> = Text extends `${infer Head}${From}${infer Tail}`
  ? `${Head}${To}${Replaced<Tail, From, To>}`
  : Text
