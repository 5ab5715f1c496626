import type { AccountState } from '../store/account.ts'
import type { ResourceChange } from '../store/journal.ts'
import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { type PutRecord, readPut, readRemove, type RemoveRecord } from './item-record.ts'

/** First byte of a record. */
export const RECORD = { put: 1, remove: 2, resource: 3, state: 4, end: 5 } as const

/** State of an emulator without the items: the first record of a snapshot. */
export interface EmulatorState {
  readonly clockAheadMs: number
  readonly account: AccountState
}

/** Receives the records of a file in their order. */
export interface RecordReceiver {
  put(record: PutRecord, bytes: Buffer): void
  remove(record: RemoveRecord): void
  resource(change: ResourceChange): void
  state(state: EmulatorState): void
  /** The last record of a complete file, with the number of its items if it is a snapshot. */
  end(items: number): void
}

/** Passes the records of an entry on. Throws a RangeError or a SyntaxError when they are not records. */
export function readRecords(reader: ByteReader, receiver: RecordReceiver): void {
  while (!reader.isAtEnd) {
    const type = reader.byte()
    if (type === RECORD.put) receiver.put(readPut(reader), reader.bytes)
    else if (type === RECORD.remove) receiver.remove(readRemove(reader))
    else if (type === RECORD.resource) receiver.resource(JSON.parse(reader.text()) as ResourceChange)
    else if (type === RECORD.state) receiver.state(JSON.parse(reader.text()) as EmulatorState)
    else if (type === RECORD.end) receiver.end(reader.varint())
    else throw new RangeError(`A record of type ${type} is unknown.`)
  }
}

/** Writes a record that consists of JSON. */
export function writeJson(writer: ByteWriter, type: number, value: unknown): void {
  writer.reserve(1)
  writer.byte(type)
  writer.text(JSON.stringify(value))
}
