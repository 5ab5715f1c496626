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

/** `sentence` replaces the code's own one where more can be said. */
export function reject(code: RecordCode, path: string, sentence: string = RECORD_CODES[code].sentence, at?: number): Rejection {
  const place = path === '' ? (at === undefined ? '' : ` Byte ${at} of the record.`) : ` ${path}.`
  return { ok: false, code, path, at, message: place === '' ? sentence : `${sentence.replace(/\.$/, ':')}${place}` }
}
