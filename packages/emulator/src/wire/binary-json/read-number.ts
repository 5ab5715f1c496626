import { type ByteCursor, malformed } from './byte-cursor.ts'

/** Reads the number that follows its marker; undefined for the marker of anything else. */
export function readNumber(marker: number, cursor: ByteCursor): number | undefined {
  const kind = KINDS[marker]
  if (kind === undefined) return undefined
  const value = kind.read(cursor.take(kind.size))
  if (!Number.isFinite(value)) throw malformed('a number in it is not finite')
  return value
}

interface NumberKind {
  readonly size: number
  readonly read: (bytes: Buffer) => number
}

const UINT8: NumberKind = { size: 1, read: (bytes) => bytes.readUInt8() }
const INT8: NumberKind = { size: 1, read: (bytes) => bytes.readInt8() }
const INT16: NumberKind = { size: 2, read: (bytes) => bytes.readInt16LE() }
const INT32: NumberKind = { size: 4, read: (bytes) => bytes.readInt32LE() }
const UINT32: NumberKind = { size: 4, read: (bytes) => bytes.readUInt32LE() }
const INT64: NumberKind = { size: 8, read: (bytes) => Number(bytes.readBigInt64LE()) }
const UINT64: NumberKind = { size: 8, read: (bytes) => Number(bytes.readBigUInt64LE()) }
const FLOAT32: NumberKind = { size: 4, read: (bytes) => bytes.readFloatLE() }
const FLOAT64: NumberKind = { size: 8, read: (bytes) => bytes.readDoubleLE() }

const KINDS: Readonly<Partial<Record<number, NumberKind>>> = {
  0xc7: UINT64,
  0xc8: UINT8,
  0xc9: INT16,
  0xca: INT32,
  0xcb: INT64,
  0xcc: FLOAT64,
  0xcd: FLOAT32,
  0xce: FLOAT64,
  0xd7: UINT8,
  0xd8: INT8,
  0xd9: INT16,
  0xda: INT32,
  0xdb: INT64,
  0xdc: UINT32
}
