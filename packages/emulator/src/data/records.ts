import type { AccountState } from '../store/account.ts'
import type { ResourceChange } from '../store/journal.ts'
import type { ByteReader } from './byte-reader.ts'
import { type ByteWriter, MAX_VARINT } from './byte-writer.ts'
import { type PutRecord, readPut, readRemove, type RemoveRecord } from './item-record.ts'

/** First byte of a record. */
export const RECORD = { put: 1, remove: 2, resource: 3, state: 4, end: 5, versions: 6 } as const

/** State of an emulator without the items: the first record of a snapshot. */
export interface EmulatorState {
  readonly clockAheadMs: number
  readonly account: AccountState
}

/** Retained changes of a range, for the change feed of all versions and deletes. */
export interface VersionsRecord {
  readonly container: number
  readonly range: string
  readonly changes: Buffer
}

/** Receives the records of a file in their order. */
export interface RecordReceiver {
  put(record: PutRecord, bytes: Buffer): void
  remove(record: RemoveRecord): void
  resource(change: ResourceChange): void
  state(state: EmulatorState): void
  versions(record: VersionsRecord): void
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
    else if (type === RECORD.versions) receiver.versions(readVersions(reader))
    else throw new RangeError(`A record of type ${type} is unknown.`)
  }
}

/** Writes a record that consists of JSON. */
export function writeJson(writer: ByteWriter, type: number, value: unknown): void {
  writer.reserve(1)
  writer.byte(type)
  writer.text(JSON.stringify(value))
}

/** Writes the record that ends a complete file. */
export function writeEnd(writer: ByteWriter, items: number): void {
  writer.reserve(1 + MAX_VARINT)
  writer.byte(RECORD.end)
  writer.varint(items)
}

/** Writes retained changes of a range. */
export function writeVersions(writer: ByteWriter, { container, range, changes }: VersionsRecord): void {
  writer.reserve(1 + 2 * MAX_VARINT)
  writer.byte(RECORD.versions)
  writer.varint(container)
  writer.text(range)
  writer.reserve(MAX_VARINT)
  writer.varint(changes.length)
  writer.copy(changes, 0, changes.length)
}

function readVersions(reader: ByteReader): VersionsRecord {
  const container = reader.varint()
  const range = reader.text()
  const length = reader.varint()
  const start = reader.skip(length)
  return { container, range, changes: reader.bytes.subarray(start, start + length) }
}
