import type { KeyValue } from '../plan/compiled.ts'
import { isWhitespace } from './characters.ts'
import type { Splice } from './stamped-bytes.ts'

/** A member's name as it is written before its value: alone, or behind a comma. */
export interface WrittenName {
  readonly alone: string
  readonly behind: string
}

export function createName(name: string): WrittenName {
  const alone = `${JSON.stringify(name)}:`
  return { alone, behind: `,${alone}` }
}

/** A member added at the end of the object that begins at `start` and closes at `at`; `isBehind` where another was added before it. */
export function createInsertion(
  bytes: Uint8Array,
  start: number,
  at: number,
  name: WrittenName,
  value: KeyValue,
  isBehind: boolean
): Splice {
  return { at, end: at, before: isBehind || !isEmpty(bytes, start + 1, at) ? name.behind : name.alone, value, ink: undefined, turn: 0 }
}

/** True when nothing but whitespace stands in `bytes[start, end)`. */
export function isEmpty(bytes: Uint8Array, start: number, end: number): boolean {
  let p = start
  while (p < end && isWhitespace(bytes[p])) p++
  return p === end
}
