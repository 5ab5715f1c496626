import type { Duplex } from 'node:stream'

/** Measures a chunk before it is stamped. Returns the number of records after which it has to be called again. */
export type Look = (chunk: unknown, records: number) => number

/**
 * Limits the chunks that wait on either side of a stage to about 1 MiB: at least one chunk, and at most 16, as in Node.
 * Objects have no size, and measuring one costs more than stamping it: measures the first ones, and then one in a
 * thousand.
 */
export function limitWaiting(stage: () => Duplex): Look {
  let size = 0
  let limit = MAX_CHUNKS
  return (chunk, records) => {
    // halves at most, so that one small chunk between large ones does not raise the limit much
    size = Math.max(sizeOf(chunk), size / 2)
    const chunks = Math.min(MAX_CHUNKS, Math.max(1, Math.floor(WAITING_BYTES / size)))
    if (chunks !== limit) setHighWaterMark(stage(), chunks)
    limit = chunks
    return records + Math.min(records + 1, LOOK_EVERY)
  }
}

/** Sets both high water marks. Node checks them for every chunk, but lets them be set only when a stream is created. */
function setHighWaterMark(stream: Duplex, chunks: number): void {
  const { _readableState: readable, _writableState: writable } = stream as unknown as Record<
    string,
    { highWaterMark: number }
  >
  readable.highWaterMark = chunks
  writable.highWaterMark = chunks
}

const WAITING_BYTES = 1024 * 1024
const MAX_CHUNKS = 16
const LOOK_EVERY = 1024

/**
 * Estimated size of a value in memory, in bytes. Measures some of its properties and assumes that the others are alike.
 */
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

// a getter is not called: it may have side effects, or throw
function plainMember(value: object, name: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

const PER_VALUE = 16
/** Number of properties that are measured on each level; a record is on the second level where a chunk is an array. */
const LOOKS = [32, 16, 8, 4]
