import type { Rejection, StampedBytes } from '@keystamp/core'
import { MemberTable, OPEN_BRACE } from '@keystamp/core/internal'
import { type DocumentName, WRITE_CODES } from '@keystamp/cosmos'
import type { RehomeSettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { headerOf, type KeyedRecord, namesOf } from './mapping.ts'
import type { Stamper } from './stamper.ts'

/** Finds the old names of documents in the previous images that their records contain. */
export interface OldNames {
  /**
   * Key and id that the document had before this change; undefined if they are still the same, or if the record has no
   * image.
   */
  readonly find: (
    stamped: StampedBytes,
    record: KeyedRecord,
    before?: Uint8Array
  ) => DocumentName | SinkRejection | undefined
  /** Number of records without an image so far. */
  readonly withoutImage: number
}

/** Creates the finder. The stamper must not be that of the records: it remembers the layout of the images. */
export function createOldNames({ before }: RehomeSettings, { stampBytes }: Pick<Stamper, 'stampBytes'>): OldNames {
  const locate = locateBy(before)
  const place = before === 'envelope' ? '/before' : 'header' in before ? '' : before.field
  let withoutImage = 0

  function find(
    stamped: StampedBytes,
    record: KeyedRecord,
    row?: Uint8Array
  ): DocumentName | SinkRejection | undefined {
    const image = before === 'envelope' ? row : locate!(stamped, record)
    if (image === undefined || isNull(image)) {
      withoutImage++
      return undefined
    }
    const old = stampBytes(image, record)
    if (!old.ok) return rejectImage(old, place)
    return isSameName(old, stamped) ? undefined : { key: old.values, id: old.id! }
  }

  return {
    find,
    get withoutImage() {
      return withoutImage
    }
  }
}

/** JSON of an image; undefined if there is none. */
type Locate = (stamped: StampedBytes, record: KeyedRecord) => Uint8Array | undefined

function locateBy(before: RehomeSettings['before']): Locate | undefined {
  if (before === 'envelope') return undefined
  return 'header' in before ? inHeader(before.header) : inRecord(before.field)
}

function inRecord(pointer: string): Locate {
  const names = namesOf(pointer)
  return ({ bytes, start, end }) => {
    let at: Pick<StampedBytes, 'bytes' | 'start' | 'end'> = { bytes, start, end }
    for (const name of names) {
      if (bytes[at.start] !== OPEN_BRACE) return undefined
      const members = new MemberTable(at)
      const member = members.find(name)
      if (member < 0) return undefined
      at = { bytes, start: members.valueStart(member), end: members.valueEnd(member) }
    }
    return bytes.subarray(at.start, at.end)
  }
}

function inHeader(name: string): Locate {
  return (_stamped, record) => {
    const value = headerOf(record, name)
    const bytes = typeof value === 'string' ? Buffer.from(value) : value
    return bytes === undefined || bytes.length === 0 ? undefined : bytes
  }
}

function isNull(image: Uint8Array): boolean {
  return image.length === 4 && Buffer.from(image.buffer, image.byteOffset, 4).toString('latin1') === 'null'
}

function isSameName(old: StampedBytes, current: StampedBytes): boolean {
  return old.id === current.id && old.values.every((value, level) => value === current.values[level])
}

/** Rejects a record whose previous image gives no key. `place`: JSON pointer to the image. */
export function rejectImage({ message, path }: Rejection, place: string): SinkRejection {
  const { sentence } = WRITE_CODES.BEFORE_INVALID
  return { ok: false, stage: 'map', code: 'BEFORE_INVALID', message: `${sentence} ${message}`, path: place + path }
}
