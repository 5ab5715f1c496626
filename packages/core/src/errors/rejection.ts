import { RECORD_CODES, type RecordCode } from './record-codes.ts'

/** Rejection of one record, as a value: code, path and message. */
export interface Rejection {
  readonly ok: false
  readonly code: RecordCode
  /** JSON pointer into the record; empty for the record as a whole. */
  readonly path: string
  /** Byte of the record at which reading stopped; only for invalid JSON. */
  readonly at: number | undefined
  /** Sentence with the mistake and its path, without values of the record. */
  readonly message: string
}

/** Creates a rejection. `sentence` and `hint` replace the texts of the code if more is known. */
export function reject(
  code: RecordCode,
  path: string,
  sentence: string = RECORD_CODES[code].sentence,
  at?: number,
  hint: string | undefined = hintOf(code)
): Rejection {
  const location = path === '' ? (at === undefined ? '' : ` Byte ${at} of the record.`) : ` ${path}.`
  const where = location === '' ? sentence : `${sentence.replace(/\.$/, ':')}${location}`
  return { ok: false, code, path, at, message: hint === undefined ? where : `${where} ${hint}` }
}

function hintOf(code: RecordCode): string | undefined {
  const entry = RECORD_CODES[code]
  return 'hint' in entry ? entry.hint : undefined
}
