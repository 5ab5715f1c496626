import { reject, type Rejection } from '../errors/rejection.ts'
import { createFieldReader } from '../json/field-reader.ts'
import { isWhitespace } from '../json/read-value.ts'
import { CLOSE_BRACE, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../text/characters.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import { writeUtf8 } from '../text/utf8.ts'

/** Change of a row, as an envelope of Debezium describes it. */
export interface Change {
  readonly ok: true
  /** `store`: `after` is the row. `delete`: the row is gone. `ignore`: the envelope concerns no row. */
  readonly kind: 'store' | 'delete' | 'ignore'
  /** JSON of the row after the change; undefined unless the kind is `store`. */
  readonly after: Uint8Array | undefined
  /** JSON of the row before the change; undefined if the envelope does not have it. */
  readonly before: Uint8Array | undefined
}

export interface ChangeOptions {
  /** Handling of `t`, which says that a table was emptied. Default: `reject`. */
  readonly truncate?: 'reject' | 'ignore'
  /** Handling of `m`, a message that is not about a row. Default: `ignore`. */
  readonly message?: 'reject' | 'ignore'
  /** Whether a delete without the deleted row is rejected. Default: false. */
  readonly needsBefore?: boolean
  /** Handling of updates whose row has the placeholder of a value that Debezium does not know. Default: `reject`. */
  readonly unavailable?: 'reject' | 'store'
}

/** Reads one envelope after the other. The rows are parts of the given bytes, except those of MongoDB. */
export interface ChangeReader {
  readonly read: (json: Uint8Array, start?: number, end?: number) => Change | Rejection
  /** Like `read`, for an envelope whose parts are known: the code of the character in `op`, and the rows. */
  readonly judge: (parts: ChangeParts) => Change | Rejection
  /** Position of a row in the bytes of the last envelope, which has this row. */
  readonly placeOf: (row: 'before' | 'after') => { readonly start: number; readonly end: number }
}

/** Parts of an envelope. */
export interface ChangeParts {
  readonly op: number
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/**
 * Creates a reader of Debezium's envelopes in JSON, with or without the `schema` and `payload` of Kafka Connect's
 * JsonConverter. It checks the whole grammar of an envelope. A tombstone is ignored: the delete before it says the same.
 */
export function createChangeReader(options: ChangeOptions = {}): ChangeReader {
  const { truncate = 'reject', message = 'ignore', needsBefore = false, unavailable = 'reject' } = options
  const reader = createFieldReader(FIELDS)
  let wrapping = PLAIN

  return {
    read,
    judge: ({ op, before, after }) => judgeParts(op, before, after, PLAIN),
    placeOf: (name) => {
      const field = wrapping + (name === 'before' ? BEFORE : AFTER)
      return { start: reader.startOf(field), end: reader.endOf(field) }
    }
  }

  function read(json: Uint8Array, start = 0, end: number = json.length): Change | Rejection {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(json[first])) first++
    while (limit > first && isWhitespace(json[limit - 1])) limit--
    if (json[limit - 1] !== CLOSE_BRACE || json[first] !== OPEN_BRACE) return other(json, first, limit)
    if (reader.scan(json, first, limit) !== limit) return reject('JSON_INVALID', '')
    wrapping = reader.has(OP) || !reader.has(PAYLOAD) ? PLAIN : WRAPPED
    return wrapping === WRAPPED && json[reader.startOf(PAYLOAD)] === LETTER_N ? IGNORED : readEnvelope(json, wrapping)
  }

  function readEnvelope(json: Uint8Array, from: number): Change | Rejection {
    if (!reader.has(from + OP)) return reject('OPERATION_MISSING', POINTERS[from + OP])
    return judgeParts(operationAt(json, from + OP), row(json, from + BEFORE), row(json, from + AFTER), from)
  }

  function judgeParts(
    op: number,
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
    from: number
  ): Change | Rejection {
    switch (op) {
      case CREATE:
      case READ:
        return stored(before, after, from, false)
      case UPDATE:
        return stored(before, after, from, unavailable === 'reject')
      case DELETE:
        if (before === undefined && needsBefore) return reject('BEFORE_MISSING', POINTERS[from + BEFORE])
        return { ok: true, kind: 'delete', after: undefined, before }
      case TRUNCATE:
        return truncate === 'ignore' ? IGNORED : reject('TRUNCATE_REJECTED', '')
      case MESSAGE:
        return message === 'ignore' ? IGNORED : reject('MESSAGE_REJECTED', '')
      default:
        return reject('OPERATION_UNKNOWN', POINTERS[from + OP])
    }
  }

  /** Code of the only character of `op`; 0 for any other value. */
  function operationAt(json: Uint8Array, field: number): number {
    const start = reader.startOf(field)
    return json[start] === QUOTE && reader.endOf(field) === start + 3 ? json[start + 1] : 0
  }

  function row(json: Uint8Array, field: number): Uint8Array | undefined {
    if (!reader.has(field)) return undefined
    const start = reader.startOf(field)
    if (json[start] === LETTER_N) return undefined
    // the connector for MongoDB writes a document as a string that contains JSON
    if (json[start] === QUOTE) return encoded(reader.text(field)!)
    return json.subarray(start, reader.endOf(field))
  }
}

function stored(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  from: number,
  mayLackValues: boolean
): Change | Rejection {
  if (after === undefined) return reject('AFTER_MISSING', POINTERS[from + AFTER])
  if (mayLackValues && hasPlaceholder(after)) return reject('VALUE_UNAVAILABLE', POINTERS[from + AFTER])
  return { ok: true, kind: 'store', after, before }
}

function other(json: Uint8Array, first: number, limit: number): Change | Rejection {
  // a tombstone follows a delete, and repeats it
  if (json[first] === LETTER_N && limit - first === 4) return IGNORED
  return reject(json[first] === OPEN_BRACKET ? 'JSON_NOT_OBJECT' : 'JSON_INVALID', '')
}

/** Whether a row has Debezium's placeholder as a string, or as bytes in base64. */
function hasPlaceholder(row: Uint8Array): boolean {
  return PLACEHOLDERS.some((placeholder) => hasText(row, placeholder))
}

/** Searches for a byte that is rare in JSON, and compares only there. */
function hasText(row: Uint8Array, { text, rare }: (typeof PLACEHOLDERS)[number]): boolean {
  for (let at = row.indexOf(text.charCodeAt(rare)); at >= 0; at = row.indexOf(text.charCodeAt(rare), at + 1)) {
    let index = 0
    while (index < text.length && row[at - rare + index] === text.charCodeAt(index)) index++
    if (index === text.length) return true
  }
  return false
}

const PLACEHOLDERS = [
  { text: '"__debezium_unavailable_value"', rare: 7 },
  // cspell:disable-next-line
  { text: '"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="', rare: 1 }
] as const

const PLAIN = 0
const WRAPPED = 3
const [OP, BEFORE, AFTER, PAYLOAD] = [0, 1, 2, 6]
const FIELDS: readonly Pointer[] = [
  ['op'],
  ['before'],
  ['after'],
  ['payload', 'op'],
  ['payload', 'before'],
  ['payload', 'after'],
  ['payload']
]
const POINTERS: readonly string[] = FIELDS.map(formatPointer)

const [CREATE, READ, UPDATE, DELETE, TRUNCATE, MESSAGE] = ['c', 'r', 'u', 'd', 't', 'm'].map((letter) =>
  letter.charCodeAt(0)
)
const LETTER_N = 0x6e

const IGNORED: Change = { ok: true, kind: 'ignore', after: undefined, before: undefined }

function encoded(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length)
  // a copy: a part would keep all of the bytes alive
  return bytes.slice(0, writeUtf8(text, bytes, 0))
}
