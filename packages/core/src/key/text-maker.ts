import type { Rejection } from '../errors/rejection.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import type { FieldValue } from './field-value.ts'
import type { Source } from './kafka.ts'

/** Makes the text of one component, escaped for the key. */
export type MakeText = (values: readonly FieldValue[], source: Source | undefined, id: string | undefined) => string | Rejection

/** Checks the length of a joined text: gives it unchanged, cut, or a rejection. */
export type Fit = (joined: string) => string | Rejection

/**
 * Makes texts one after another and joins them; gives the first rejection.
 * Calls `fit` for a result of more than `safeLength` UTF-16 units.
 */
export function joinTexts(
  makers: readonly MakeText[],
  separator: string,
  safeLength: number = Number.POSITIVE_INFINITY,
  fit: Fit = same
): MakeText {
  const [first, second] = makers
  if (makers.length === 2) {
    return (values, source, id) => {
      const left = first(values, source, id)
      if (typeof left !== 'string') return left
      const right = second(values, source, id)
      if (typeof right !== 'string') return right
      const joined = left + separator + right
      return joined.length <= safeLength ? joined : fit(joined)
    }
  }
  return (values, source, id) => {
    let joined = ''
    for (let index = 0; index < makers.length; index++) {
      const text = makers[index](values, source, id)
      if (typeof text !== 'string') return text
      joined = index === 0 ? text : joined + separator + text
    }
    return joined.length <= safeLength ? joined : fit(joined)
  }
}

function same(text: string): string {
  return text
}

/** Numbers the fields of a plan; a field that several rules read has one number. */
export class FieldTable {
  readonly pointers: Pointer[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(pointer: Pointer): number {
    const text = formatPointer(pointer)
    const known = this.#indexes.get(text)
    if (known !== undefined) return known
    this.#indexes.set(text, this.pointers.length)
    return this.pointers.push(pointer) - 1
  }
}
