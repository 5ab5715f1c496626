import { joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import { readProperty } from '@keystamp/core/internal'
import type { Operation } from '@keystamp/cosmos'
import { isUtf8 } from 'node:buffer'
import type { ProbedRecord } from './kafkajs-probe.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { Decoded, Decoder } from '../decode/decoder.ts'
import type { RecordMapper } from '../map/record-mapper.ts'

interface SampleOptions extends ProbedRecord {
  readonly container: string
  readonly mapper: RecordMapper
  readonly decoder: Decoder
  readonly sleep: (ms: number) => Promise<void>
  readonly showValues: boolean
}

const SAMPLE_TIMEOUT_MS = 10_000

/** Describes the operation that a record would become, or why it would be rejected. */
export async function describeSample({
  record,
  isNext,
  container,
  mapper,
  decoder,
  sleep,
  showValues
}: SampleOptions): Promise<Sample> {
  const { topic, partition, offset, value } = record
  const decoded = await Promise.race([decoder.decode(record), sleep(SAMPLE_TIMEOUT_MS)])
  const mapped = mapDecoded(decoded)
  const sample = { topic, partition, offset: String(offset), isNext, becomes: outcomeOf(mapped) }
  if (!showValues) return sample
  const document = mapped === 'ignore' || !('kind' in mapped) ? undefined : documentOf(mapped)
  return document === undefined ? { ...sample, value: textOf(value) } : { ...sample, document }

  function mapDecoded(found: Decoded | SinkRejection | void): Operation | SinkRejection | 'ignore' {
    if (found === undefined) {
      const message = `The record is not decoded yet: ${decoder.waitingFor ?? 'its schema is not there yet'}.`
      return { ok: false, stage: 'decode', code: 'SCHEMA_UNKNOWN', message, path: '' }
    }
    return found.ok ? mapper.map(record, found) : found
  }

  function outcomeOf(found: Operation | SinkRejection | 'ignore'): SampleOutcome {
    if (found === 'ignore') return { kind: 'ignored' }
    if (!('kind' in found)) return { kind: 'rejected', stage: found.stage, code: found.code, message: found.message }
    return { kind: 'stored', container, operation: found.kind, key: keyOf(found), id: idOf(found) }
  }
}

/** The JSON that the operation writes; undefined for a delete. */
function documentOf(operation: Operation): string | undefined {
  if (operation.kind === 'delete') return undefined
  if (operation.kind === 'patch') return JSON.stringify(operation.steps)
  const { stamped } = operation
  if (stamped === undefined) return undefined
  const bytes = Buffer.alloc(joinedLength(stamped))
  joinInto(stamped, bytes, 0)
  return bytes.toString()
}

function textOf(value: Uint8Array | null): string {
  if (value === null) return 'null'
  const bytes = Buffer.from(value)
  return isUtf8(bytes) ? bytes.toString() : `base64 ${bytes.toString('base64')}`
}

function keyOf(operation: Operation): readonly unknown[] {
  if ('key' in operation && operation.key !== undefined) return [operation.key].flat()
  return operation.stamped?.values ?? []
}

function idOf(operation: Operation): string | undefined {
  if ('id' in operation && operation.id !== undefined) return operation.id
  return operation.stamped === undefined ? undefined : (operation.stamped.id ?? carriedId(operation.stamped))
}

function carriedId(stamped: StampedBytes): string | undefined {
  const id = readProperty(stamped, 'id')
  return typeof id === 'string' ? id : undefined
}

/**
 * Result of a check. A check writes nothing and does not join the consumer group of the sink: it reads its samples with
 * a temporary group.
 */
export interface CheckReport {
  /** Whether the sinks can be started. */
  readonly ok: boolean
  readonly sinks: readonly SinkReport[]
}

/** Findings about one sink. */
export interface SinkReport {
  readonly name: string
  readonly findings: readonly Finding[]
  /** The outcome of one sample record for each topic. */
  readonly samples: readonly Sample[]
}

/** One fact that was checked. */
export interface Finding {
  /** Part of the sink that was checked. */
  readonly of: 'topics' | 'codecs' | 'group' | 'registry' | 'container' | 'move' | 'rejects' | 'sample'
  readonly state: 'ok' | 'warning' | 'failed'
  /** The result of the check, as a sentence for people. */
  readonly message: string
}

/** One sample record and its outcome. */
export interface Sample {
  readonly topic: string
  readonly partition: number
  readonly offset: string
  /** True for the next record that the group would read; false for a record that the group has read already. */
  readonly isNext: boolean
  readonly becomes: SampleOutcome
  /** The document that would be stored, or the steps of a patch, as JSON; only with `showValues`. */
  readonly document?: string
  /** Value of a record that would be rejected, as text, or in base64 if it is not UTF-8; only with `showValues`. */
  readonly value?: string
}

/** Outcome that a record would have. */
export type SampleOutcome =
  | {
      readonly kind: 'stored'
      readonly container: string
      readonly operation: string
      /** One value for each level of the key. */
      readonly key: readonly unknown[]
      readonly id: string | undefined
    }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'rejected'; readonly stage: string; readonly code: string; readonly message: string }
