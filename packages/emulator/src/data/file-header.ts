import { crc32 } from 'node:zlib'
import { DataError, damaged, RESTORE } from './data-error.ts'

/** Kind of a data file. */
export type FileKind = 'log' | 'snapshot'

/** Number of bytes before the first entry of a file. */
export const FILE_HEADER_BYTES = 20

/** Version of the format that this emulator writes, and the highest that it reads. */
const FORMAT_VERSION = 1

const MAGIC = Buffer.from('KEYSTAMP')
const KINDS: readonly FileKind[] = ['log', 'snapshot']

/** The first bytes of a file: magic, version, kind, number, checksum. */
export function encodeFileHeader(kind: FileKind, number: number, version: number = FORMAT_VERSION): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt16LE(version, 8)
  header[10] = KINDS.indexOf(kind)
  header.writeUInt32LE(number, 12)
  header.writeUInt32LE(crc32(header.subarray(0, 16)), 16)
  return header
}

/** Refuses a file whose first bytes are not those of this kind and number. */
export function checkFileHeader(header: Buffer, path: string, kind: FileKind, number: number): void {
  if (header.length < FILE_HEADER_BYTES) throw damaged(path, header.length, 'it ends within its header', RESTORE)
  if (header.readUInt32LE(16) !== crc32(header.subarray(0, 16)))
    throw damaged(path, 0, 'the checksum of its header does not match', RESTORE)
  const version = header.readUInt16LE(8)
  if (header.compare(MAGIC, 0, 8, 0, 8) === 0 && version > FORMAT_VERSION) {
    throw new DataError(
      `The data file ${path} has format ${version}, which a newer version of the emulator wrote; this version reads format ${FORMAT_VERSION}. Install the newer version, or name another folder.`
    )
  }
  if (!header.equals(encodeFileHeader(kind, number)))
    throw damaged(path, 0, `its header is not that of ${kind} ${number}`, RESTORE)
}
