import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'

/** What a 64-bit integer beyond 2^53 - 1 becomes: JSON text under the policy. One that a double holds exactly is a JSON number under each. */
export function bigIntegerJson(digits: string, policy: NumberPolicy['int64']): string {
  if (policy === 'string') return `"${digits}"`
  if (policy === 'number') return digits
  throw new DecodeFailure('a 64-bit integer in it lies beyond what a JSON number holds exactly, and `numbers.int64` is `reject`')
}

/** What a decimal becomes: text under `string`, so that a field keeps its type and its digits; a number under `number`, and under `reject` if it stays what it is. */
export function decimalJson(text: string, policy: NumberPolicy['decimal']): string {
  if (policy === 'string') return `"${text}"`
  if (policy === 'reject' && !isExact(text)) {
    throw new DecodeFailure('a decimal in it has more digits than a JSON number holds, and `numbers.decimal` is `reject`')
  }
  return text
}

const EXACT_DIGITS = 15

/** A double gives back every decimal of 15 significant digits. */
function isExact(text: string): boolean {
  const significant = text.replace('-', '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  return significant.length <= EXACT_DIGITS && Number.isFinite(Number(text)) && (significant === '' || Number(text) !== 0)
}
