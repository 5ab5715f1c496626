import { KeystampError } from '@keystamp/core'
import { createHash } from 'node:crypto'
import { reads } from '../config/rule-conditions.ts'
import type { SinkSettings } from '../config/settings.ts'
import { toDeadLetterLine } from '../dead-letter/dead-letter-record.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { createSpool, type LineFile, openLines, type Spool } from './line-file.ts'
import {
  type DeadLetter,
  type InvalidDeadLetter,
  readDeadLetterLine,
  readDeadLetterRecord
} from './read-dead-letter.ts'

/** Why a dead letter is not replayed. `docs/errors.md` is made from this table. */
export const REPLAY_CODES = {
  DEAD_LETTER_INVALID: {
    sentence: 'The dead letter does not tell which record it was.',
    cause:
      'A header or field with the topic, the partition, the offset, the timestamp or the code is missing or invalid; in a file of rejected records, the code, the line or the record.',
    remedy: 'Read the record from its own topic: let a sink with another group begin at its offset.'
  },
  PAYLOAD_MISSING: {
    sentence: 'The dead letter has no payload.',
    cause:
      'The record was too large for the dead-letter topic, or the dead letter is of a batch that was not read. In a file of rejected records: the record was too long, or not UTF-8.',
    remedy:
      'Raise the limit, and read the record from its own topic: let a sink with another group begin at its offset.'
  },
  TOPIC_FOREIGN: {
    sentence: 'The dead letter is of a topic that the sink does not read.',
    cause: 'The file or the topic has dead letters of several sinks, or the configuration has other topics now.',
    remedy: 'Name the configuration of the sink that rejected the record.'
  },
  FILTER_UNKNOWN: {
    sentence: 'A filter names something that the dead letter does not have.',
    cause: 'The record has no key, and `--key` is given; or no timestamp, and `--since` or `--until` is given.',
    remedy: 'Choose these dead letters by `--topic`, `--partition` and `--offset`.'
  },
  MARKER_EXPIRED: {
    sentence: 'The record is older than the markers of deleted documents, so a later delete may be forgotten.',
    cause: 'The timestamp of the record is missing, or its age is more than `write.newerBy.markerTtl`.',
    remedy: 'Decide for each record whether its document still exists, and write it by hand; replay sooner next time.'
  }
} as const

export type ReplayCode = keyof typeof REPLAY_CODES

/** Which dead letters are replayed, by the coordinates of their original records. Absent parts let everything pass. */
export interface ReplayFilter {
  /** From this time on, by the timestamp of the original record, in milliseconds since 1970. */
  readonly sinceMs?: number | undefined
  /** Before this time. */
  readonly untilMs?: number | undefined
  /** Codes of rejections. */
  readonly codes?: readonly string[] | undefined
  readonly topic?: string | undefined
  readonly partition?: number | undefined
  readonly fromOffset?: number | undefined
  /** Including this offset. */
  readonly toOffset?: number | undefined
  /** Key as text. */
  readonly key?: string | undefined
}

/** Creates the test of a filter: `unknown` if the dead letter does not have what the filter names. */
export function createFilter({
  sinceMs = 0,
  untilMs = Number.POSITIVE_INFINITY,
  codes = [],
  topic,
  partition,
  fromOffset = 0,
  toOffset = Number.POSITIVE_INFINITY,
  key
}: ReplayFilter): (record: SinkRecord, code: string) => boolean | 'unknown' {
  const wantedCodes = new Set(codes)
  const wantedKey = key === undefined ? undefined : Buffer.from(key)
  const hasTime = sinceMs > 0 || untilMs !== Number.POSITIVE_INFINITY
  return (record, code) => {
    if (wantedCodes.size > 0 && !wantedCodes.has(code)) return false
    if (topic !== undefined && topic !== record.topic) return false
    if (partition !== undefined && partition !== record.partition) return false
    if (record.offset < fromOffset || record.offset > toOffset) return false
    const ms = Number(record.timestamp)
    if (hasTime && ms >= 0 && (ms < sinceMs || ms >= untilMs)) return false
    if (wantedKey !== undefined && record.key !== null && !wantedKey.equals(record.key)) return false
    return (hasTime && ms < 0) || (wantedKey !== undefined && record.key === null) ? 'unknown' : true
  }
}

/** A dead letter that matches, in a file from which it is read again. */
export interface FoundDeadLetter extends Pick<SinkRecord, 'topic' | 'partition' | 'offset'> {
  /** Digest that tells it from all others, for the journal. */
  readonly mark: string
  /** Topic, partition and offset of the dead letter itself, or the line of a file. */
  readonly name: string
  readonly file: LineFile
  /** True for a copy that no other process can change. */
  readonly isCopy: boolean
  readonly at: number
  readonly length: number
}

/** Numbers of dead letters that were read. */
export interface DeadLetterCounts {
  read: number
  /** Dead letters of other sinks in the same topic. */
  ofOthers: number
  /** Dead letters that the filter leaves out. */
  leftOut: number
  /** Dead letters that were replayed before. */
  replayedBefore: number
  /** Dead letters that can be replayed, by the code of their rejection. */
  readonly matched: Map<string, number>
  /** Dead letters that cannot be replayed, by the reason. */
  readonly refused: Map<ReplayCode, number>
  /** Missing or invalid part of the first dead letter with DEAD_LETTER_INVALID. */
  firstInvalid: string | undefined
}

interface FinderOptions {
  readonly settings: Pick<SinkSettings, 'name' | 'kafka'>
  readonly passes: (record: SinkRecord, code: string) => boolean | 'unknown'
  readonly isReplayed: (mark: string) => boolean
  readonly isExpired: (record: SinkRecord) => boolean
  /** Folder for a temporary copy of dead letters from a topic; undefined if they are only counted. */
  readonly folder: string | undefined
}

/** Finds the dead letters that match, and counts all others by the reason. */
export class DeadLetterFinder {
  readonly counts: DeadLetterCounts = {
    read: 0,
    ofOthers: 0,
    leftOut: 0,
    replayedBefore: 0,
    matched: new Map(),
    refused: new Map(),
    firstInvalid: undefined
  }
  readonly found: FoundDeadLetter[] = []
  readonly #options: FinderOptions
  readonly #files: LineFile[] = []
  #spool: Spool | undefined

  constructor(options: FinderOptions) {
    this.#options = options
  }

  /** Takes a record of a dead-letter topic. */
  takeRecord(stored: SinkRecord): void {
    const letter = readDeadLetterRecord(stored)
    const name = `${stored.topic}/${stored.partition}/${stored.offset}`
    if (!letter.ok) return this.#countInvalid(letter, name)
    const line = Buffer.from(toDeadLetterLine(letter.record, rejectionOf(letter)))
    // without its content, a mark would also fit a record of a topic that was created again
    const mark = markOf(line, name)
    if (!this.#matches(letter, mark)) return
    const { folder } = this.#options
    if (folder === undefined) return
    if (this.#spool === undefined) this.#files.push((this.#spool = createSpool(folder)))
    const at = this.#spool.append(line)
    this.#add(letter, { mark, name, file: this.#spool, isCopy: true, at, length: line.length })
  }

  /** Reads a file of dead letters. Throws INPUT_UNREADABLE, or OPTION_INVALID for a file of other rejected records. */
  async readFile(path: string, signal: AbortSignal): Promise<void> {
    const file = openLines(path)
    this.#files.push(file)
    for await (const { bytes, at, number } of file.lines()) {
      signal.throwIfAborted()
      const text = bytes.toString()
      // a sink ends an incomplete line with a line end when it opens the file again
      if (text.trim() === '') continue
      const name = `line ${number} of ${path}`
      const letter = readDeadLetterLine(text)
      if (!letter.ok) {
        if (letter.isRejectedLine === true) throw ofStamp(path)
        this.#countInvalid(letter, name)
        continue
      }
      const mark = markOf(bytes)
      if (this.#matches(letter, mark)) this.#add(letter, { mark, name, file, isCopy: false, at, length: bytes.length })
    }
  }

  #matches({ code, sink, hasPayload, record }: DeadLetter, mark: string): boolean {
    const { settings, passes, isReplayed, isExpired } = this.#options
    const { counts } = this
    counts.read++
    const isOfOther = sink !== undefined && sink !== settings.name
    const passed = isOfOther ? false : passes(record, code)
    if (isOfOther) counts.ofOthers++
    else if (passed === false) counts.leftOut++
    else if (isReplayed(mark)) counts.replayedBefore++
    else if (passed === 'unknown') countIn(counts.refused, 'FILTER_UNKNOWN')
    else if (!reads(settings.kafka.topics, record.topic)) countIn(counts.refused, 'TOPIC_FOREIGN')
    else if (!hasPayload) countIn(counts.refused, 'PAYLOAD_MISSING')
    else if (isExpired(record)) countIn(counts.refused, 'MARKER_EXPIRED')
    else {
      countIn(counts.matched, code)
      return true
    }
    return false
  }

  #countInvalid({ sink, part }: InvalidDeadLetter, name: string): void {
    const { counts } = this
    counts.read++
    if (sink !== undefined && sink !== this.#options.settings.name) counts.ofOthers++
    else {
      countIn(counts.refused, 'DEAD_LETTER_INVALID')
      counts.firstInvalid ??= `${name}: ${part}`
    }
  }

  #add(
    { record }: DeadLetter,
    place: Pick<FoundDeadLetter, 'mark' | 'name' | 'file' | 'isCopy' | 'at' | 'length'>
  ): void {
    const { topic, partition, offset } = record
    this.found.push({ topic, partition, offset, ...place })
  }

  close(): void {
    for (const file of this.#files) file.close()
  }
}

/** Reads a dead letter again. Throws INPUT_UNREADABLE if its file was changed. */
export function readAgain(found: FoundDeadLetter): SinkRecord {
  const { file, isCopy, at, length, mark, name, topic, partition, offset } = found
  const bytes = file.read(at, length)
  const letter = readDeadLetterLine(bytes.toString())
  if (letter.ok && (isCopy || mark === markOf(bytes))) return letter.record
  throw new KeystampError(
    'INPUT_UNREADABLE',
    `The dead letter of topic "${topic}", partition ${partition}, offset ${offset} (${name}) was changed while it was replayed.`
  )
}

/** By the positions of the original records, so that the records of a document keep their order. */
export function byPosition(one: FoundDeadLetter, other: FoundDeadLetter): number {
  if (one.topic !== other.topic) return one.topic < other.topic ? -1 : 1
  return one.partition - other.partition || one.offset - other.offset
}

export function countIn<K>(counts: Map<K, number>, key: K, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

function markOf(bytes: Uint8Array, name = ''): string {
  return createHash('sha256').update(name).update(bytes).digest('hex').slice(0, MARK_LENGTH)
}

const MARK_LENGTH = 32

/** `toDeadLetterLine` writes the code; the other parts of the rejection are not needed again. */
function rejectionOf({ code }: DeadLetter): SinkRejection {
  return { ok: false, stage: 'map', code: code as SinkRejection['code'], message: '', path: '' }
}

function ofStamp(path: string): KeystampError {
  return new KeystampError(
    'OPTION_INVALID',
    `${path} has rejected records of \`keystamp stamp\` or \`keystamp load\`, which have no topic and no offset, so a sink cannot replay them. Name the container: keystamp replay ${path} --to my-database/my-container, with the plan of the load.`
  )
}
