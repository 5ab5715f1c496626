import type { KeyValue } from './compiled.ts'

/** A record type with the members that a plan writes at the top of it; the type alone where the plan is not known as a literal. */
export type WithKey<R, D> = R & TopMembers<IntoOf<D>>

type IntoOf<D> = D extends { readonly into: infer Into extends string }
  ? Into
  : D extends { readonly levels: readonly { readonly into: infer Into extends string }[] }
    ? Into
    : never

type TopMembers<Into extends string> = string extends Into
  ? unknown
  : [Into] extends [never]
    ? unknown
    : { [Path in Into as Path extends `/${infer Name}` ? (Name extends `${string}/${string}` ? never : Name) : never]: KeyValue }
