import { toPosition } from '@keystamp/core'
import { HEADERS } from '../dead-letter/dead-letter-record.ts'
import type { RecordHeaders, SinkRecord } from '../kafka/consumer-port.ts'

/** A dead letter: the original record at its original coordinates, and why it was rejected. */
export interface DeadLetter {
  readonly ok: true
  /** Code of the rejection. */
  readonly code: string
  /** Name of the sink that rejected the record; undefined in a file, which does not tell. */
  readonly sink: string | undefined
  /** False if the dead letter has only the coordinates of the record: without its value, it would be a tombstone. */
  readonly hasPayload: boolean
  readonly record: SinkRecord
}

/** A dead letter that does not tell which record it was. */
export interface InvalidDeadLetter {
  readonly ok: false
  /** Sink that rejected the record, if the dead letter tells. */
  readonly sink?: string | undefined
  /** Part of the dead letter that is missing or invalid. */
  readonly part: string
  /** True for a rejected record of a file, which never was in a topic. */
  readonly isRejectedLine?: boolean
}

/** Reads a record of a dead-letter topic. */
export function readDeadLetterRecord({ key, value, headers }: SinkRecord): DeadLetter | InvalidDeadLetter {
  const sink = textOf(headers, HEADERS.sink)
  const texts = {
    sink,
    code: textOf(headers, HEADERS.code),
    topic: textOf(headers, HEADERS.topic),
    partition: textOf(headers, HEADERS.partition),
    offset: textOf(headers, HEADERS.offset),
    timestamp: textOf(headers, HEADERS.timestamp),
    topicId: textOf(headers, HEADERS.topicId)
  }
  const missing = REQUIRED.find((part) => !isValid(part, texts[part]))
  if (missing !== undefined) return { ok: false, sink, part: `the header ${HEADERS[missing]}` }
  const hasPayload = OMITTED.every((name) => headers[name] === undefined)
  return toDeadLetter(texts as Texts, hasPayload, { key, value, headers: originalHeaders(headers) })
}

const PARTS_OF_LINES = ['code', 'topic', 'partition', 'offset', 'timestamp'] as const
const REQUIRED = ['sink', ...PARTS_OF_LINES] as const
const OMITTED = [HEADERS.omittedBytes, HEADERS.firstOffset, HEADERS.lastOffset]

/** Reads a line of a file of dead letters. */
export function readDeadLetterLine(text: string): DeadLetter | InvalidDeadLetter {
  const line = parseLine(text)
  if (line === undefined) return { ok: false, part: 'JSON' }
  const texts = {
    sink: undefined,
    code: line['code'],
    topic: line['topic'],
    partition: numberText(line['partition']),
    offset: numberText(line['offset']),
    timestamp: line['timestamp'],
    topicId: line['topicId']
  }
  const missing = PARTS_OF_LINES.find((part) => !isValid(part, texts[part]))
  if (missing !== undefined) {
    const isRejectedLine = 'record' in line && line['topic'] === undefined
    return { ok: false, part: `the field ${missing}`, ...(isRejectedLine ? { isRejectedLine } : {}) }
  }
  const [key, value, headers] = [bytesOf(line['key']), bytesOf(line['value']), headersOf(line['headers'])]
  if (key === undefined || value === undefined || headers === undefined) {
    const part = key === undefined ? 'key' : value === undefined ? 'value' : 'headers'
    return { ok: false, part: `the field ${part}` }
  }
  return toDeadLetter(texts as Texts, line['firstOffset'] === undefined, { key, value, headers })
}

interface Texts {
  readonly sink: string | undefined
  readonly code: string
  readonly topic: string
  readonly partition: string
  readonly offset: string
  readonly timestamp: string
  readonly topicId: string | undefined
}

function toDeadLetter(
  { sink, code, topic, partition, offset, timestamp, topicId }: Texts,
  hasPayload: boolean,
  content: Pick<SinkRecord, 'key' | 'value' | 'headers'>
): DeadLetter {
  const record = { topic, partition: Number(partition), offset: toPosition(offset), timestamp, topicId, ...content }
  return { ok: true, code, sink, hasPayload, record }
}

function isValid(part: keyof Texts, text: unknown): boolean {
  if (typeof text !== 'string' || text === '') return false
  if (part === 'partition' || part === 'offset') return /^\d{1,15}$/.test(text)
  // Kafka has -1 for no timestamp
  return part !== 'timestamp' || /^(?:-1|\d{1,15})$/.test(text)
}

function numberText(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function textOf(headers: RecordHeaders, name: string): string | undefined {
  const value = headers[name]
  const last = Array.isArray(value) ? (value as readonly (Uint8Array | string)[]).at(-1) : value
  return last === undefined || last === null ? undefined : Buffer.from(last as Uint8Array).toString()
}

/** The headers of the record, without those of the rejection. */
function originalHeaders(headers: RecordHeaders): RecordHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)))
}

const OWN_HEADERS: ReadonlySet<string> = new Set(Object.values(HEADERS))

function parseLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const line: unknown = JSON.parse(text)
    return typeof line === 'object' && line !== null ? (line as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Bytes in base64, or null; undefined if it is neither. */
function bytesOf(value: unknown): Buffer | null | undefined {
  if (value === null) return null
  if (typeof value !== 'string' || value.length % 4 !== 0) return undefined
  const bytes = Buffer.from(value, 'base64')
  // Node ignores characters that are not base64, so they make fewer bytes
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0
  return bytes.length === (value.length / 4) * 3 - padding ? bytes : undefined
}

function headersOf(pairs: unknown): RecordHeaders | undefined {
  if (!Array.isArray(pairs)) return undefined
  const headers: Record<string, Buffer | Buffer[]> = {}
  for (const pair of pairs as readonly unknown[]) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return undefined
    const bytes = bytesOf(pair[1])
    if (bytes === undefined) return undefined
    const [name, value] = [pair[0], bytes ?? Buffer.alloc(0)]
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined
    const all = known === undefined ? value : [known, value].flat()
    Object.defineProperty(headers, name, { value: all, enumerable: true, configurable: true, writable: true })
  }
  return headers
}
