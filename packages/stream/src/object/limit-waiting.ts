import type { Duplex } from 'node:stream'

/**
 * Measures a chunk before it is stamped; `records` is the number of records so far. Returns the number of records from
 * which on it has to be called again.
 */
export type MeasureChunk = (chunk: unknown, records: number) => number

/**
 * Limits the chunks that wait on each side of a stage to about 1 MiB: at least one chunk, and at most 16, Node's
 * default. Measuring an object costs more than stamping it, so only the first objects are measured, and later about one
 * in a thousand.
 */
export function limitWaiting(stage: () => Duplex): MeasureChunk {
  let size = 0
  let limit = MAX_CHUNKS
  return (chunk, records) => {
    // the size falls by half at most, so that one small chunk between large ones does not raise the limit much
    size = Math.max(sizeOf(chunk), size / 2)
    const chunks = Math.min(MAX_CHUNKS, Math.max(1, Math.floor(WAITING_BYTES / size)))
    if (chunks !== limit) setHighWaterMark(stage(), chunks)
    limit = chunks
    return records + Math.min(records + 1, MEASURE_EVERY)
  }
}

/** Sets both high water marks. Node reads them for every chunk, but only its constructors can set them. */
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
const MEASURE_EVERY = 1024

/**
 * Estimates the size of a value in memory, in bytes. Measures some of its properties, and assumes that the others have
 * the same average size.
 */
function sizeOf(value: unknown, level: number = 0): number {
  if (typeof value === 'string') return value.length + PER_VALUE
  if (typeof value !== 'object' || value === null || level === SAMPLES_BY_LEVEL.length) return PER_VALUE
  if (ArrayBuffer.isView(value)) return value.byteLength + PER_VALUE
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const { length } = names ?? (value as readonly unknown[])
  if (length === 0) return PER_VALUE
  const samples = Math.min(length, SAMPLES_BY_LEVEL[level])
  let size = 0
  for (let sample = 0; sample < samples; sample++) {
    // at equal distances, because the first properties may be smaller than the others
    const at = Math.floor((sample * length) / samples)
    size += sizeOf(plainMember(value, names?.[at] ?? at), level + 1)
  }
  return PER_VALUE + Math.ceil((size * length) / samples)
}

// a getter is not called: it may have side effects, or throw
function plainMember(value: object, name: string | number): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

const PER_VALUE = 16
/**
 * Number of properties that are measured on each level. If a chunk is an array, its records are on the second level.
 */
const SAMPLES_BY_LEVEL = [32, 16, 8, 4]
