import type { Pointer } from '../plan/compiled.ts'
import { pointerText } from '../parse/pointer.ts'

/** Gives every place that a plan reads one number, however many rules read it. */
export class FieldTable {
  readonly pointers: Pointer[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(pointer: Pointer): number {
    const text = pointerText(pointer)
    const known = this.#indexes.get(text)
    if (known !== undefined) return known
    this.#indexes.set(text, this.pointers.length)
    return this.pointers.push(pointer) - 1
  }
}
