import type { Container } from '../store/container.ts'
import type { ItemProperties, StagedItem, StoredItem } from '../store/item.ts'
import type { PutContext, Removal } from '../store/journal.ts'
import type { ByteReader } from './byte-reader.ts'
import { type ByteWriter, MAX_VARINT } from './byte-writer.ts'

/** A stored item as a record: its properties, and its document as bytes of the entry. */
export interface PutRecord extends ItemProperties, PutContext {
  readonly container: number
  readonly isAscii: boolean
  readonly start: number
  readonly end: number
}

/** A removed item as a record. */
export interface RemoveRecord extends Removal {
  readonly container: number
  readonly keyText: string
  readonly id: string
}

/** Writes the record of an item that a write stores. */
export function writePut(writer: ByteWriter, container: Container, item: StagedItem, context: PutContext): void {
  const { document } = item
  writeProperties(writer, container, item, { ...context, isAscii: document.isAscii })
  if (document.bytes !== undefined) {
    writeDocument(writer, document.bytes, document.start, document.end)
    return
  }
  writer.reserve(MAX_VARINT + item.length)
  writer.varint(item.length)
  writer.length += writer.bytes.write(document.text, writer.length)
}

/** Writes the record of an item as it is stored. */
export function writeStored(writer: ByteWriter, container: Container, item: StoredItem): void {
  const { keyText } = item.partition
  writeProperties(writer, container, item, { keyText, formerId: undefined, isAscii: item.isAscii })
  writeDocument(writer, item.slab.bytes, item.offset, item.offset + item.length)
}

function writeDocument(writer: ByteWriter, bytes: Buffer, start: number, end: number): void {
  writer.reserve(MAX_VARINT)
  writer.varint(end - start)
  writer.copy(bytes, start, end)
}

function writeProperties(
  writer: ByteWriter,
  container: Container,
  item: ItemProperties,
  { keyText, formerId, isAscii }: PutContext & { isAscii: boolean }
): void {
  const { ttl } = item
  writer.reserve(FIXED_BYTES)
  writer.byte((isAscii ? ASCII : 0) | (ttl === undefined ? 0 : TTL) | (formerId === undefined ? 0 : RENAMED))
  writer.varint(container.number)
  writer.varint(item.ordinal)
  writer.varint(item.version)
  writer.varint(item.lsn)
  writer.varint(item.timestamp)
  writer.varint(item.terms)
  // -1 is the lowest time to live
  if (ttl !== undefined) writer.varint(ttl + 1)
  writer.text(item.id)
  if (formerId !== undefined) writer.text(formerId)
  writer.text(keyText)
}

const ASCII = 1
const TTL = 2
const RENAMED = 4
const FIXED_BYTES = 1 + 7 * MAX_VARINT

/** Reads what `writePut` or `writeStored` wrote. */
export function readPut(reader: ByteReader): PutRecord {
  const flags = reader.byte()
  const container = reader.varint()
  const ordinal = reader.varint()
  const version = reader.varint()
  const lsn = reader.varint()
  const timestamp = reader.varint()
  const terms = reader.varint()
  const ttl = (flags & TTL) === 0 ? undefined : reader.varint() - 1
  const id = reader.text()
  const formerId = (flags & RENAMED) === 0 ? undefined : reader.text()
  const keyText = reader.text()
  const length = reader.varint()
  const start = reader.skip(length)
  const isAscii = (flags & ASCII) !== 0
  const end = start + length
  return { container, keyText, id, formerId, ordinal, version, lsn, timestamp, ttl, terms, isAscii, start, end }
}

/** Writes the record of a removed item. */
export function writeRemove(writer: ByteWriter, container: Container, item: StoredItem, removal: Removal): void {
  writer.reserve(1 + 3 * MAX_VARINT)
  writer.byte(removal.kind === 'expiry' ? EXPIRED : 0)
  writer.varint(container.number)
  // 0 is no LSN of a change
  writer.varint(removal.lsn ?? 0)
  writer.varint(removal.timestamp)
  writer.text(item.id)
  writer.text(item.partition.keyText)
}

const EXPIRED = 1

/** Reads what `writeRemove` wrote. */
export function readRemove(reader: ByteReader): RemoveRecord {
  const kind = (reader.byte() & EXPIRED) === 0 ? 'delete' : 'expiry'
  const container = reader.varint()
  const lsn = reader.varint()
  const timestamp = reader.varint()
  const id = reader.text()
  return { kind, container, lsn: lsn === 0 ? undefined : lsn, timestamp, id, keyText: reader.text() }
}
