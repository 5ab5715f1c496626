import { KeystampError } from '../errors/keystamp-error.ts'

declare const POSITION: unique symbol

/** Number of a record in a sequence: a Kafka offset or a line number. A whole number that a double holds exactly, so that tracking it is cheap. */
export type Position = number & { readonly [POSITION]: true }

const WHOLE = /^\d{1,16}$/

/** Converts the offset of a Kafka client (string or bigint) or a count. Throws INVARIANT_BROKEN beyond 2^53 - 2, which no topic reaches. */
export function toPosition(value: bigint | number | string): Position {
  const position = typeof value === 'string' ? parseWhole(value) : Number(value)
  if (!isPosition(position)) throw new KeystampError('INVARIANT_BROKEN', 'A position must be a whole number from 0 to 2^53 - 2.')
  return position
}

// the position after this one must be exact too
function isPosition(value: number): value is Position {
  return Number.isSafeInteger(value) && value >= 0 && value < Number.MAX_SAFE_INTEGER
}

/** Converts a number that is known to be a position, since it came from a container of positions. */
export function asPosition(known: number): Position {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only an assertion adds a brand, and a check would cost time for each record
  return known as Position
}

function parseWhole(text: string): number {
  return WHOLE.test(text) ? Number(text) : Number.NaN
}
