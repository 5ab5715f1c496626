import type { Duplex } from 'node:stream'
import { sizeOf } from './size-of.ts'

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
