import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import { type JsonCursor, QUOTE } from '../json/json-cursor.ts'
import { writeDate, writeTimeOfDay, writeTimestamp } from '../json/write-time.ts'
import { decimalText, unscaledOf } from '../numbers/decimal-text.ts'
import { bigIntegerJson, decimalJson } from '../numbers/number-json.ts'
import type { Rewrite } from './rewrite.ts'

const LETTER_N = 0x6e
const EXACT_LENGTH = 15
const INTEGER = /^-?(?:0|[1-9]\d*)$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Days since 1970 become a date. */
export const dateRewrite: Rewrite = integerRewrite((days, target) => writeDate(target, days))

/** Milliseconds since midnight become a time of day. */
export const timeOfDayRewrite: Rewrite = integerRewrite((millis, target) => writeTimeOfDay(target, millis, 3))

/** Milliseconds since 1970 become ISO 8601 text. */
export const timestampRewrite: Rewrite = integerRewrite((millis, target) => writeTimestamp(target, millis, 3, true))

/** Integers that a double does not hold become what the policy says. */
export function bigIntegerRewrite(policy: NumberPolicy['int64']): Rewrite {
  return (cursor, copy) => {
    cursor.peek()
    const start = cursor.at
    cursor.skipValue()
    if (cursor.at - start <= EXACT_LENGTH) return
    const token = cursor.bytes.toString('latin1', start, cursor.at)
    if (INTEGER.test(token) && !Number.isSafeInteger(Number(token))) {
      copy.replace(start, cursor.at).writeAscii(bigIntegerJson(token, policy))
    }
  }
}

/** Decimals, in base64 or as numbers, as the converter was told to write them, become what the policy says. */
export function decimalRewrite(scale: number, policy: NumberPolicy['decimal']): Rewrite {
  return unlessNull((cursor, copy) => {
    const start = cursor.at
    const text = cursor.peek() === QUOTE ? unpacked(cursor.readText(), scale) : cursor.readToken()
    if (!NUMBER.test(text)) throw new DecodeFailure('a decimal in it is no number')
    copy.replace(start, cursor.at).writeAscii(decimalJson(text, policy))
  })
}

function unpacked(base64: string, scale: number): string {
  const bytes = Buffer.from(base64, 'base64')
  // Buffer steps over whatever is no base64
  if (bytes.toString('base64') !== base64) throw new DecodeFailure('a decimal in it is not in base64')
  return decimalText(unscaledOf(bytes, 0, bytes.length), scale)
}

function integerRewrite(write: (value: number, target: Parameters<typeof writeDate>[0]) => void): Rewrite {
  return unlessNull((cursor, copy) => {
    const start = cursor.at
    const token = cursor.readToken()
    if (!INTEGER.test(token)) throw new DecodeFailure('a time in it is no whole number')
    write(Number(token), copy.replace(start, cursor.at))
  })
}

function unlessNull(rewrite: Rewrite): Rewrite {
  return (cursor: JsonCursor, copy) => {
    if (cursor.peek() === LETTER_N) cursor.skipValue()
    else rewrite(cursor, copy)
  }
}
