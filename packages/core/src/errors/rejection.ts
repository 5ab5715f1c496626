import { RECORD_CODES, type RecordCode } from './record-codes.ts'

/** A record that gets no key: what, where and why, as a value. */
export interface Rejection {
  readonly ok: false
  readonly code: RecordCode
  /** The place in the record, as a JSON pointer; empty for the record as a whole. */
  readonly path: string
  /** Byte of the record at which reading it stopped; only where the bytes themselves are at fault. */
  readonly at: number | undefined
  /** One sentence that says what is wrong and where. Carries no value of the record. */
  readonly message: string
}

/** `sentence` and `hint` replace the code's own ones where more can be said. */
export function reject(
  code: RecordCode,
  path: string,
  sentence: string = RECORD_CODES[code].sentence,
  at?: number,
  hint: string | undefined = hintOf(code)
): Rejection {
  const place = path === '' ? (at === undefined ? '' : ` Byte ${at} of the record.`) : ` ${path}.`
  const where = place === '' ? sentence : `${sentence.replace(/\.$/, ':')}${place}`
  return { ok: false, code, path, at, message: hint === undefined ? where : `${where} ${hint}` }
}

function hintOf(code: RecordCode): string | undefined {
  const text = RECORD_CODES[code]
  return 'hint' in text ? text.hint : undefined
}
