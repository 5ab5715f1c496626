import { changeLength, type NewChange, RetainedChange, writeChange } from './retained-change.ts'

/**
 * The retained changes of one range, oldest first, as bytes in a few buffers. Only ranges of containers with the change
 * feed of all versions and deletes have such a log.
 */
export class VersionLog {
  #segments: Segment[] = []
  #lost: LogPosition

  /** Changes up to `lost` are not in the log: they happened before the log began, or were dropped. */
  constructor(lost: LogPosition) {
    this.#lost = lost
  }

  /** The last change that is not in the log. */
  get lost(): LogPosition {
    return this.#lost
  }

  /** Number of bytes that the log occupies. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  append(change: NewChange): void {
    const length = changeLength(change)
    const segment = this.#segmentFor(length)
    writeChange(segment.bytes, segment.used, change)
    extend(segment, length, change)
  }

  /** The changes after a position, oldest first. */
  *after({ by, at }: ChangeLogPosition): Generator<RetainedChange> {
    for (const segment of this.#segments) {
      if (segment.last[by] > at) yield* changesAfter(segment, by, at)
    }
  }

  /** Whether a change after a position was dropped, or is older than `oldest`, in seconds since 1970. */
  isLost(position: ChangeLogPosition, oldest: number): boolean {
    if (position.at < this.#lost[position.by]) return true
    const [next] = this.after(position)
    return next !== undefined && next.timestamp < oldest
  }

  /** Drops the buffers all of whose changes are older than `oldest`, in seconds since 1970. */
  dropBefore(oldest: number): void {
    while (this.#segments.length > 0 && this.#segments[0].newest < oldest) this.#lost = this.#segments.shift()!.last
  }

  /** Divides the log between the children of a split, which have these upper bounds. */
  split(bounds: readonly string[]): VersionLog[] {
    const children = bounds.map(() => new VersionLog(this.#lost))
    for (const segment of this.#segments) {
      for (const change of changesAfter(segment, 'sequence', -1)) {
        const owner = bounds.findIndex((max) => change.effectiveKey < max)
        children[owner < 0 ? bounds.length - 1 : owner].#copy(change)
      }
    }
    return children
  }

  /** The content of the log, for storing it. The chunks are views of the log's buffers; each has whole changes. */
  state(): VersionLogState {
    return { lost: this.#lost, chunks: this.#segments.map(({ bytes, used }) => bytes.subarray(0, used)) }
  }

  /** A log with a stored content. It keeps the chunks without copying them. */
  static restore({ lost, chunks }: VersionLogState): VersionLog {
    const log = new VersionLog(lost)
    log.#segments = chunks.filter((bytes) => bytes.length > 0).map(toSegment)
    return log
  }

  #copy(change: RetainedChange): void {
    const { entry } = change
    const segment = this.#segmentFor(entry.length)
    entry.copy(segment.bytes, segment.used)
    extend(segment, entry.length, change)
  }

  #segmentFor(length: number): Segment {
    const last = this.#segments.at(-1)
    if (last !== undefined && last.used + length <= last.bytes.length) return last
    const wanted = last === undefined ? FIRST_BYTES : Math.min(last.bytes.length * 2, SEGMENT_BYTES)
    const bytes = Buffer.allocUnsafeSlow(Math.max(length, wanted))
    const segment = { bytes, used: 0, last: this.#lost, newest: 0 }
    this.#segments.push(segment)
    return segment
  }
}

/** The last change before a position: its LSN in its range, and its sequence number in the container. */
export interface LogPosition {
  readonly lsn: number
  readonly sequence: number
}

/** A position in a log by one of both numbers. */
export interface ChangeLogPosition {
  readonly by: keyof LogPosition
  readonly at: number
}

/** The content of a log as bytes. */
export interface VersionLogState {
  readonly lost: LogPosition
  readonly chunks: readonly Buffer[]
}

interface Segment {
  readonly bytes: Buffer
  used: number
  last: LogPosition
  /** Time of the newest change, in seconds since 1970. */
  newest: number
}

// small, since tests create hundreds of containers
const FIRST_BYTES = 4 << 10
const SEGMENT_BYTES = 1 << 20

function* changesAfter({ bytes, used }: Segment, by: keyof LogPosition, position: number): Generator<RetainedChange> {
  for (let at = 0; at < used; at += bytes.readUInt32LE(at)) {
    const change = new RetainedChange(bytes, at)
    if (change[by] > position) yield change
  }
}

function extend(segment: Segment, length: number, change: LogPosition & { readonly timestamp: number }): void {
  segment.used += length
  segment.last = { lsn: change.lsn, sequence: change.sequence }
  segment.newest = Math.max(segment.newest, change.timestamp)
}

function toSegment(bytes: Buffer): Segment {
  const segment: Segment = { bytes, used: 0, last: { lsn: 0, sequence: 0 }, newest: 0 }
  for (let at = 0; at < bytes.length; at = segment.used) {
    const change = new RetainedChange(bytes, at)
    extend(segment, change.length, change)
  }
  return segment
}
