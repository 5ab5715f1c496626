import type { CopyOptions } from './copy-layout.ts'

/** A document with this number of seconds left, or fewer, is not copied. */
const MIN_SECONDS = 60

/** Result of `timeLeft`: seconds, `expiring`, or undefined if the copy keeps its member `ttl` or has none. */
export type TimeLeft = number | 'expiring' | undefined

/**
 * Seconds that are left of the life of a document. `text` is the JSON of its member `ttl`; `timestamp` the second of
 * its last change.
 */
export function timeLeft(
  { sourceDefaultTtl, ttl }: CopyOptions,
  text: string | undefined,
  timestamp: number,
  nowMs: number
): TimeLeft {
  // in a container without a default, Cosmos DB ignores the member
  if (ttl === 'restart' || sourceDefaultTtl === undefined) return undefined
  const own = text === undefined || text === 'null' ? sourceDefaultTtl : Number(text)
  if (!Number.isSafeInteger(own) || own <= 0) return undefined
  // a clock that is behind must not lengthen the life
  const left = own - Math.max(0, Math.ceil(nowMs / 1000 - timestamp))
  return left <= MIN_SECONDS ? 'expiring' : left
}
