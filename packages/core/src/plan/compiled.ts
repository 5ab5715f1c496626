import type { Rejection } from '../errors/rejection.ts'
import type { Source } from './source.ts'

/** A JSON pointer, taken apart: `/a/b/0` is `['a', 'b', '0']`. */
export type Pointer = readonly string[]

/** Stands for an object or an array where a scalar was looked for. */
export const COMPOSITE: unique symbol = Symbol('composite')

/**
 * What a front end hands over for one field: its scalar, `undefined` where there is none, or COMPOSITE.
 * An integer written plainly in JSON text that a double cannot hold exactly comes as a bigint.
 */
export type FieldValue = string | number | bigint | boolean | null | undefined | typeof COMPOSITE

/** A value that Cosmos DB accepts as one level of a partition key. */
export type KeyValue = string | number | boolean | null

/** One member that a plan looks after: a level of the key, or the id. */
export interface ManagedMember {
  readonly pointer: Pointer
  /** Where the member's present value stands in the values that `decide` is given. */
  readonly field: number
  /** False where the value passes through as it is and is never written. */
  readonly written: boolean
}

/** A plan behind its two front ends: they gather values, it decides, they write. */
export interface CompiledPlan {
  /** Every place that has to be read, each once; the managed members' own places included. */
  readonly fields: readonly Pointer[]
  /** The levels of the key in their order, then the id where the plan makes it. */
  readonly managed: readonly ManagedMember[]
  /** `values[i]` belongs to `fields[i]`. The array is the front end's own and used again: neither this nor `freshKey` may keep it. */
  readonly decide: (values: readonly FieldValue[], source: Source | undefined) => Decision | Rejection
  /** The short way over bytes: only where key and id are nothing but texts, joined or as they are. */
  readonly direct?: DirectPlan | undefined
  /** The short way for a record that carries no key yet: only where a plan has one version, one level, and no word on ids. */
  readonly freshKey: ((values: readonly FieldValue[], source: Source | undefined) => KeyValue | Rejection) | undefined
}

/** What is to become of one record. */
export interface Decision {
  readonly ok: true
  readonly values: readonly KeyValue[]
  readonly id: string | undefined
  /** 0 for the plan itself, 1 for the first of its previous versions, and so on. */
  readonly version: number
  /** What to write into each managed member, in their order; `undefined` leaves it as it is. */
  readonly writes: readonly (KeyValue | undefined)[]
}

/** How key and id are found without reading more of the record than they are. What is not as plain as described here goes to `decide`. */
export type DirectPlan = JoiningPlan | ReadingPlan

/** Key and id are joined of texts, which can be copied without reading them first. */
export interface JoiningPlan {
  readonly kind: 'joins'
  readonly key: DirectText
  /** How the id is made, or what the id that the record carries has to be like; undefined where there is no word on ids. */
  readonly id: DirectText | undefined
  /** False where the id is carried. */
  readonly writesId: boolean
}

/** Key and id stand in the record, and nothing is written into it. */
export interface ReadingPlan {
  readonly kind: 'reads'
  readonly levels: readonly DirectValue[]
  /** Undefined where there is no word on ids. */
  readonly id: DirectValue | undefined
}

/** A field that is a text without `marks`, or nothing for a short way. */
export interface DirectValue {
  readonly field: number
  readonly marks: string
  /** A text of at most so many bytes is short enough. */
  readonly certain: number
  readonly mayBeEmpty: boolean
}

/** A text joined of parts. */
export interface DirectText {
  readonly parts: readonly DirectPart[]
  readonly separator: string
  /** A text of at most so many bytes is short enough. */
  readonly certain: number
  readonly mayBeEmpty: boolean
}

/** A field, as the bytes have it if it is a text without `marks` or plain digits; or what is made without the record. */
export type DirectPart =
  | {
      readonly field: number
      readonly takesText: boolean
      readonly takesEmpty: boolean
      readonly takesDigits: boolean
      readonly marks: string
    }
  | { readonly field: undefined; readonly make: (source: Source | undefined) => string | Rejection }
