import { KeystampError } from '../errors/keystamp-error.ts'

declare const POSITION: unique symbol

/** A place in a sequence of records: a Kafka offset, a line number. A whole number that a double holds exactly, so that tracking it is cheap. */
export type Position = number & { readonly [POSITION]: true }

const WHOLE = /^\d{1,16}$/

/** A position from what Kafka clients hand out (text or bigint) or from a count. Throws beyond 2^53 - 2, which no topic reaches. */
export function toPosition(value: bigint | number | string): Position {
  const position = typeof value === 'string' ? parseWhole(value) : Number(value)
  if (!isPosition(position)) throw new KeystampError('INVARIANT_BROKEN', 'A position is a whole number from 0 to 2^53 - 2.')
  return position
}

// the position behind the last one must be exact too
function isPosition(value: number): value is Position {
  return Number.isSafeInteger(value) && value >= 0 && value < Number.MAX_SAFE_INTEGER
}

/** For numbers that are known to be positions, since nothing else was put where they come from. */
export function asPosition(known: number): Position {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand can be put on in no other way, and checking would cost each record
  return known as Position
}

function parseWhole(text: string): number {
  return WHOLE.test(text) ? Number(text) : Number.NaN
}
