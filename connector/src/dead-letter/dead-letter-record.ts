import { eventHubsHost } from '../config/event-hubs.ts'
import type { RecordHeaders, SinkRecord } from '../kafka/consumer-port.ts'
import type { SinkRejection, Stage } from './sink-codes.ts'

/** Record for the dead-letter topic. */
export interface DeadLetterRecord {
  readonly key: Buffer | null
  readonly value: Buffer | null
  readonly headers: DeadLetterHeaders
  readonly timestamp: string
  /** The partition that the record came from. */
  readonly from: number
}

type DeadLetterHeaders = Readonly<Record<string, Buffer | string | (Buffer | string)[]>>

/** Names of the headers of dead letters; the first ones are those of Kafka Connect. */
export const HEADERS = {
  topic: '__connect.errors.topic',
  partition: '__connect.errors.partition',
  offset: '__connect.errors.offset',
  sink: '__connect.errors.connector.name',
  taskId: '__connect.errors.task.id',
  connectStage: '__connect.errors.stage',
  className: '__connect.errors.class.name',
  exceptionName: '__connect.errors.exception.class.name',
  exceptionMessage: '__connect.errors.exception.message',
  stackTrace: '__connect.errors.exception.stacktrace',
  code: 'keystamp.code',
  stage: 'keystamp.stage',
  path: 'keystamp.path',
  timestamp: 'keystamp.timestamp',
  topicId: 'keystamp.topic.id',
  omittedBytes: 'keystamp.value.omitted.bytes',
  firstOffset: 'keystamp.batch.first.offset',
  lastOffset: 'keystamp.batch.last.offset'
} as const

/** Name of the sink that rejected the record. */
interface RejectingSink {
  readonly name: string
  readonly taskId: string
}

/**
 * The record with its original bytes. Headers give the reason of the rejection, under the names of Kafka Connect and of
 * Keystamp.
 */
export function toDeadLetterRecord(
  record: SinkRecord,
  rejection: SinkRejection,
  rejectingSink: RejectingSink
): DeadLetterRecord {
  const { key, value, timestamp, partition } = record
  const headers = {
    ...copyHeaders(record.headers),
    ...connectHeaders(record, rejection, rejectingSink),
    ...ownHeaders(rejection, timestamp),
    ...(record.topicId === undefined ? {} : { [HEADERS.topicId]: record.topicId }),
    ...batchHeaders(record)
  }
  return { key: toBuffer(key), value: toBuffer(value), headers, timestamp, from: partition }
}

/** The same dead-letter record without its value, which is too large for the topic; a header says so. */
export function withoutValue(deadLetter: DeadLetterRecord): DeadLetterRecord {
  const bytes = deadLetter.value?.length ?? 0
  return {
    ...deadLetter,
    value: null,
    headers: { ...deadLetter.headers, [HEADERS.omittedBytes]: String(bytes) }
  }
}

/** Estimated size of the dead-letter record in a topic, in bytes. */
export function deadLetterBytes({ key, value, headers }: DeadLetterRecord): number {
  let bytes = RECORD_BYTES + (key?.length ?? 0) + (value?.length ?? 0)
  for (const [name, values] of Object.entries(headers)) {
    for (const each of [values].flat()) bytes += HEADER_BYTES + Buffer.byteLength(name) + Buffer.byteLength(each)
  }
  return bytes
}

// upper bounds for the bytes that Kafka adds to a batch of one record, and to each header
const RECORD_BYTES = 100
const HEADER_BYTES = 10

function connectHeaders(
  { topic, partition, offset }: SinkRecord,
  { code, stage, message }: SinkRejection,
  { name, taskId }: RejectingSink
): DeadLetterHeaders {
  return {
    [HEADERS.topic]: topic,
    [HEADERS.partition]: String(partition),
    [HEADERS.offset]: String(offset),
    [HEADERS.sink]: name,
    [HEADERS.taskId]: taskId,
    [HEADERS.connectStage]: CONNECT_STAGES[stage],
    [HEADERS.className]: `keystamp.${stage}`,
    [HEADERS.exceptionName]: `keystamp.${code}`,
    [HEADERS.exceptionMessage]: message,
    // no stack trace: the cause is the record, not the program
    [HEADERS.stackTrace]: `keystamp.${code}: ${message}`
  }
}

const CONNECT_STAGES: Readonly<Record<Stage, string>> = {
  decode: 'VALUE_CONVERTER',
  map: 'TRANSFORMATION',
  write: 'TASK_PUT'
}

function ownHeaders({ code, stage, path }: SinkRejection, timestamp: string): DeadLetterHeaders {
  // a topic with `LogAppendTime`, where retention does not delete dead-letter records of old records at once, has the
  // original timestamp only in this header
  return { [HEADERS.code]: code, [HEADERS.stage]: stage, [HEADERS.path]: path, [HEADERS.timestamp]: timestamp }
}

/** Offsets of a refused batch, which one dead-letter record without a value represents. */
function batchHeaders({ oversizedBatch }: SinkRecord): DeadLetterHeaders {
  if (oversizedBatch === undefined) return {}
  const { firstOffset, lastOffset } = oversizedBatch
  return { [HEADERS.firstOffset]: firstOffset, [HEADERS.lastOffset]: lastOffset }
}

/** Copies the headers of the record. The caller overwrites headers of an earlier rejection. */
function copyHeaders(headers: RecordHeaders): DeadLetterHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      Array.isArray(values) ? values.map(toHeader) : toHeader(values as HeaderValue)
    ])
  )
}

type HeaderValue = Uint8Array | string | null | undefined

// kafkajs cannot write a header whose value is null
function toHeader(value: HeaderValue): Buffer | string {
  return typeof value === 'string' ? value : (toBuffer(value ?? null) ?? NO_BYTES)
}

const NO_BYTES = Buffer.alloc(0)

function toBuffer(bytes: Uint8Array | null): Buffer | null {
  if (bytes === null || Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** A rejected record as one JSON line: reason, origin, and its bytes in base64. */
export function toDeadLetterLine(record: SinkRecord, { code, stage, path, message }: SinkRejection): string {
  const { topic, partition, offset, timestamp, key, value, headers, topicId, oversizedBatch } = record
  const line = {
    code,
    stage,
    path,
    message,
    topic,
    partition,
    offset,
    ...(oversizedBatch === undefined ? {} : { firstOffset: Number(oversizedBatch.firstOffset) }),
    timestamp,
    ...(topicId === undefined ? {} : { topicId }),
    key: base64(key),
    value: base64(value),
    headers: pairs(headers)
  }
  return `${JSON.stringify(line)}\n`
}

function pairs(headers: RecordHeaders): readonly (readonly [string, string | null])[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map(
      (value: Uint8Array | string | undefined) => [name, base64(value ?? null)] as const
    )
  )
}

function base64(bytes: Uint8Array | string | null): string | null {
  return bytes === null ? null : Buffer.from(bytes as Uint8Array).toString('base64')
}

/** Size limit of a dead-letter record if it is known before sending. Other brokers reject larger records themselves. */
export function maxDeadLetterBytesOf(brokers: readonly string[]): number | undefined {
  return eventHubsHost(brokers) === undefined ? undefined : EVENT_HUBS_BYTES
}

// https://learn.microsoft.com/azure/event-hubs/apache-kafka-configurations: `max.request.size`
const EVENT_HUBS_BYTES = 1_000_000
