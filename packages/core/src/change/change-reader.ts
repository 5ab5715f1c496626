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
  /** Whether a row contains the placeholder of values that Debezium could not read; such a row is rejected. */
  readonly hasPlaceholder?: (row: Uint8Array) => boolean
}

/** Reads one envelope after the other. The rows are parts of the given bytes, except those of MongoDB. */
export type ChangeReader = (json: Uint8Array, start?: number, end?: number) => Change | Rejection

/**
 * Creates a reader of Debezium's envelopes in JSON, with or without the `schema` and `payload` of Kafka Connect's
 * JsonConverter. It checks the whole grammar of an envelope. A tombstone is ignored: the delete before it says the same.
 */
export function createChangeReader(options: ChangeOptions = {}): ChangeReader {
  const { truncate = 'reject', message = 'ignore', needsBefore = false, hasPlaceholder } = options
  const reader = createFieldReader(FIELDS)

  return (json, start = 0, end = json.length) => {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(json[first])) first++
    while (limit > first && isWhitespace(json[limit - 1])) limit--
    if (json[limit - 1] !== CLOSE_BRACE || json[first] !== OPEN_BRACE) return other(json, first, limit)
    if (reader.scan(json, first, limit) !== limit) return reject('JSON_INVALID', '')
    if (reader.has(OP) || !reader.has(PAYLOAD)) return read(json, PLAIN)
    return json[reader.startOf(PAYLOAD)] === LETTER_N ? IGNORED : read(json, WRAPPED)
  }

  function read(json: Uint8Array, from: number): Change | Rejection {
    if (!reader.has(from + OP)) return reject('OPERATION_MISSING', POINTERS[from + OP])
    switch (operationAt(json, from + OP)) {
      case CREATE:
      case READ:
        return stored(json, from, false)
      case UPDATE:
        return stored(json, from, hasPlaceholder !== undefined)
      case DELETE:
        return deleted(json, from)
      case TRUNCATE:
        return truncate === 'ignore' ? IGNORED : reject('TRUNCATE_REJECTED', '')
      case MESSAGE:
        return message === 'ignore' ? IGNORED : reject('MESSAGE_REJECTED', '')
      default:
        return reject('OPERATION_UNKNOWN', POINTERS[from + OP])
    }
  }

  function deleted(json: Uint8Array, from: number): Change | Rejection {
    const before = row(json, from + BEFORE)
    if (before === undefined && needsBefore) return reject('BEFORE_MISSING', POINTERS[from + BEFORE])
    return { ok: true, kind: 'delete', after: undefined, before }
  }

  function stored(json: Uint8Array, from: number, mayLackValues: boolean): Change | Rejection {
    const after = row(json, from + AFTER)
    if (after === undefined) return reject('AFTER_MISSING', POINTERS[from + AFTER])
    if (mayLackValues && hasPlaceholder!(after)) return reject('VALUE_UNAVAILABLE', POINTERS[from + AFTER])
    return { ok: true, kind: 'store', after, before: row(json, from + BEFORE) }
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

function other(json: Uint8Array, first: number, limit: number): Change | Rejection {
  // a tombstone follows a delete, and repeats it
  if (json[first] === LETTER_N && limit - first === 4) return IGNORED
  return reject(json[first] === OPEN_BRACKET ? 'JSON_NOT_OBJECT' : 'JSON_INVALID', '')
}

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
