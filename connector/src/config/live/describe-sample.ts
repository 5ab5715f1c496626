import { isUtf8 } from 'node:buffer'
import { joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import type { Operation } from '@keystamp/cosmos'
import type { Decoded, Decoder } from '../../decode/decoder.ts'
import type { SinkRejection } from '../../rejects/sink-codes.ts'
import type { Shaper } from '../../shape/shaper.ts'
import type { Sample, SampleOutcome } from './check-report.ts'
import type { ProbedRecord } from './live-parts.ts'

export interface SampleOptions extends ProbedRecord {
  readonly container: string
  readonly shaper: Shaper
  readonly decoder: Decoder
  readonly sleep: (ms: number) => Promise<void>
  readonly showValues: boolean
}

const PATIENCE_MS = 10_000

/** What would become of a record. */
export async function describeSample({ record, isNext, container, shaper, decoder, sleep, showValues }: SampleOptions): Promise<Sample> {
  const { topic, partition, offset, value } = record
  const decoded = await Promise.race([decoder.decode(record), sleep(PATIENCE_MS)])
  const shaped = shapeOf(decoded)
  const sample = { topic, partition, offset: String(offset), isNext, becomes: outcomeOf(shaped) }
  if (!showValues) return sample
  const document = shaped === 'ignore' || !('kind' in shaped) ? undefined : documentOf(shaped)
  return document === undefined ? { ...sample, value: textOf(value) } : { ...sample, document }

  function shapeOf(found: Decoded | SinkRejection | void): Operation | SinkRejection | 'ignore' {
    if (found === undefined) {
      const message = `It waits for ${decoder.waitingFor ?? 'an answer'}.`
      return { ok: false, stage: 'decode', code: 'SCHEMA_UNKNOWN', message, path: '' }
    }
    return found.ok ? shaper.shape(record, found) : found
  }

  function outcomeOf(found: Operation | SinkRejection | 'ignore'): SampleOutcome {
    if (found === 'ignore') return { kind: 'ignored' }
    if (!('kind' in found)) return { kind: 'rejected', stage: found.stage, code: found.code, message: found.message }
    return { kind: 'stored', container, operation: found.kind, key: keyOf(found), id: idOf(found) }
  }
}

/** What the operation writes; undefined for a delete. */
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

function carriedId({ members, bytes }: StampedBytes): string | undefined {
  const member = members.find('id')
  if (member < 0) return undefined
  return String(JSON.parse(Buffer.from(bytes.subarray(members.valueStart(member), members.valueEnd(member))).toString()))
}
