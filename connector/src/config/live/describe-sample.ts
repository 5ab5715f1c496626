import type { StampedBytes } from '@keystamp/core'
import type { Operation } from '@keystamp/cosmos'
import type { Decoded, Decoder } from '../../decode/decoder.ts'
import type { SinkRecord } from '../../record.ts'
import type { SinkRejection } from '../../rejects/sink-codes.ts'
import type { Shaper } from '../../shape/shaper.ts'
import type { Sample, SampleOutcome } from './check-report.ts'

export interface SampleOptions {
  readonly record: SinkRecord
  readonly container: string
  readonly shaper: Shaper
  readonly decoder: Decoder
  readonly sleep: (ms: number) => Promise<void>
  readonly showValues: boolean
}

const PATIENCE_MS = 10_000

/** What would become of a record. */
export async function describeSample({ record, container, shaper, decoder, sleep, showValues }: SampleOptions): Promise<Sample> {
  const { topic, partition, offset, value } = record
  const decoded = await Promise.race([decoder.decode(record), sleep(PATIENCE_MS)])
  const sample = { topic, partition, offset: String(offset), becomes: outcomeOf(decoded) }
  return showValues ? { ...sample, value: value === null ? 'null' : Buffer.from(value).toString() } : sample

  function outcomeOf(found: Decoded | SinkRejection | void): SampleOutcome {
    if (found === undefined) {
      const message = `It waits for ${decoder.waitingFor ?? 'an answer'}.`
      return { kind: 'rejected', stage: 'decode', code: 'SCHEMA_UNKNOWN', message }
    }
    const shaped = found.ok ? shaper.shape(record, found) : found
    if (shaped === 'ignore') return { kind: 'ignored' }
    if (!('kind' in shaped)) return { kind: 'rejected', stage: shaped.stage, code: shaped.code, message: shaped.message }
    return { kind: 'stored', container, operation: shaped.kind, key: keyOf(shaped), id: idOf(shaped) }
  }
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
