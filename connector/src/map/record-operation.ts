import { RECORD_CODES } from '@keystamp/core'
import { CLOSE_BRACE, createFieldReader, OPEN_BRACE, SPACE } from '@keystamp/core/internal'
import type { OperationSettings, RecordOperation } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { headerOf, type KeyedRecord, namesOf } from './mapping.ts'

/** Reads which operation a record describes. */
export type ReadOperation = (json: Uint8Array, record: KeyedRecord) => RecordOperation | SinkRejection

/** Creates a reader of operations from a field or a header. */
export function createReadOperation({ from, values, other, missing }: OperationSettings): ReadOperation {
  const read = 'header' in from ? inHeader(from.header) : inField(from.field)
  const path = 'header' in from ? '' : from.field

  return (json, record) => {
    const name = read(json, record)
    if (name === undefined) return missing === 'reject' ? rejectOperation('OPERATION_MISSING', path) : missing
    // the plan rejects these bytes, with the reason
    if (name === INVALID) return 'store'
    return values.get(name) ?? (other === 'reject' ? rejectOperation('OPERATION_UNKNOWN', path) : other)
  }
}

const INVALID = Symbol('invalid JSON')

/** The name of an operation; undefined if the record has none. */
type ReadName = (json: Uint8Array, record: KeyedRecord) => string | typeof INVALID | undefined

function inField(pointer: string): ReadName {
  const reader = createFieldReader([namesOf(pointer)])
  return (json) => {
    let [start, end] = [0, json.length]
    while (start < end && json[start] <= SPACE) start++
    while (end > start && json[end - 1] <= SPACE) end--
    if (json[start] !== OPEN_BRACE || json[end - 1] !== CLOSE_BRACE) return INVALID
    if (reader.scan(json, start, end) !== end) return INVALID
    const value = reader.component(0)
    return value === undefined || value === null ? undefined : String(value)
  }
}

function inHeader(name: string): ReadName {
  return (_json, record) => {
    const value = headerOf(record, name)
    return value === undefined || typeof value === 'string' ? value : Buffer.from(value).toString()
  }
}

function rejectOperation(code: 'OPERATION_MISSING' | 'OPERATION_UNKNOWN', path: string): SinkRejection {
  const { sentence } = RECORD_CODES[code]
  const message = path === '' ? sentence : `${sentence.replace(/\.$/, ':')} ${path}.`
  return { ok: false, stage: 'map', code, message, path }
}
