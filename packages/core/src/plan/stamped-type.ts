import type { KeyValue } from './compiled.ts'

/**
 * A record type with the members that a plan writes at the top of it. Of a plan that is only known as a PlanDefinition, the names of
 * these members are not known: then every member that R lacks is text.
 */
export type WithKey<R, D> = R & KeyMembers<LevelOf<D>>

/** The levels of a plan, as a union. */
type LevelOf<D> = D extends { readonly levels: readonly (infer Level)[] } ? Level : D

// `D` stands on the left of `extends` only: so a Plan of any definition can be used where a Plan is asked for
type KeyMembers<Level> = unknown extends Level
  ? unknown
  : string extends IntoOf<Level>
    ? { [member: string]: string }
    : { [Each in Level as MemberOf<Each>]: KeyOf<Each> }

type IntoOf<Level> = Level extends { readonly into: infer Into } ? Into : never

/** The member at the top that a level writes. The id is not one of them: it is what the record says of it. */
type MemberOf<Level> = IntoOf<Level> extends `/${infer Name}` ? (Name extends `${string}/${string}` | 'id' ? never : Name) : never

/** A key is text, except where the record's own value is the key, or may stay what it is. */
type KeyOf<Level> = Level extends { readonly existing: infer Existing }
  ? 'keep' extends Existing
    ? KeyValue
    : MadeKey<Level>
  : MadeKey<Level>

type MadeKey<Level> = Level extends { readonly suffix: object }
  ? string
  : Level extends { readonly from: infer From extends readonly unknown[] }
    ? number extends From['length']
      ? KeyValue
      : From extends readonly [infer Only]
        ? OwnKey<Level, Only>
        : string
    : KeyValue

type OwnKey<Level, Only> = Only extends { readonly field: IntoOf<Level> }
  ? Only extends { readonly type: 'text' | 'date' | 'uuid' }
    ? string
    : KeyValue
  : string
