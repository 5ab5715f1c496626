import type { Duplex } from 'node:stream'

/** Looks at a chunk before it is stamped, and says behind how many records it is to be asked again. */
export type Look = (chunk: unknown, records: number) => number

/**
 * Lets so many chunks of objects wait on either side of a stage as hold about a mebibyte, one at least and Node's 16 at most.
 * Objects have no size, and to find it out costs more than to stamp them: the first ones are looked at, and then one in a thousand.
 */
export function limitWaiting(stage: () => Duplex): Look {
  let size = 0
  let limit = MOST_CHUNKS
  return (chunk, records) => {
    // a small one between large ones does not open the door to many of them
    size = Math.max(sizeOf(chunk), size / 2)
    const chunks = Math.min(MOST_CHUNKS, Math.max(1, Math.floor(WAITING_BYTES / size)))
    if (chunks !== limit) setHighWaterMark(stage(), chunks)
    limit = chunks
    return records + Math.min(records + 1, LOOK_EVERY)
  }
}

/** Node looks at its limits for every chunk, but lets them be set only when a stream is made. */
function setHighWaterMark(stream: Duplex, chunks: number): void {
  const { _readableState: readable, _writableState: writable } = stream as unknown as Record<string, { highWaterMark: number }>
  readable.highWaterMark = chunks
  writable.highWaterMark = chunks
}

const WAITING_BYTES = 1024 * 1024
const MOST_CHUNKS = 16
const LOOK_EVERY = 1024

/** About how many bytes a value holds in memory. Not all of its members are looked at; the others are taken to be like them. */
function sizeOf(value: unknown, level: number = 0): number {
  if (typeof value === 'string') return value.length + PER_VALUE
  if (typeof value !== 'object' || value === null || level === LOOKS.length) return PER_VALUE
  if (ArrayBuffer.isView(value)) return value.byteLength + PER_VALUE
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const { length } = names ?? (value as readonly unknown[])
  if (length === 0) return PER_VALUE
  const looks = Math.min(length, LOOKS[level])
  let size = 0
  for (let look = 0; look < looks; look++) {
    // at equal distances: the first ones may be smaller than the others
    const at = Math.floor((look * length) / looks)
    size += sizeOf(plainMember(value, names?.[at] ?? at), level + 1)
  }
  return PER_VALUE + Math.ceil((size * length) / looks)
}

// a getter is the record's own affair: it may do something, or throw
function plainMember(value: object, name: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

const PER_VALUE = 16
/** How many members are looked at on each level; a record stands on the second where a chunk is an array. */
const LOOKS = [32, 16, 8, 4]
