import type { Rejection, StampedBytes } from '@keystamp/core'
import { readProperty } from '@keystamp/core/internal'
import { type Operation, pointerOfPath } from '@keystamp/cosmos'
import type { Decoded } from '../decode/decoder.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { SINK_CODES, type SinkCode, type SinkRejection } from '../dead-letter/sink-codes.ts'

/** Metadata of a record that a plan can read, with its decoded key. */
export type KeyedRecord = Omit<SinkRecord, 'key' | 'value'> & Pick<Decoded, 'key'>

/**
 * Creates the operation for a document whose key and id are known. `before`: the row before the change, if the record
 * is change data.
 */
export type ToOperation = (stamped: StampedBytes, record: KeyedRecord, before?: Uint8Array) => Operation | SinkRejection

/** Value of a header. Kafka allows several headers with the same name; as in a plan, the last one counts. */
export function headerOf({ headers }: Pick<KeyedRecord, 'headers'>, name: string): Uint8Array | string | undefined {
  const value = headers === undefined ? undefined : headers[name]
  return typeof value === 'string' || value instanceof Uint8Array ? value : value?.at(-1)
}

/** JSON pointers of the properties that no later write changes. */
export type FixedPaths = readonly string[]

const SYSTEM_PATHS: FixedPaths = ['/_rid', '/_self', '/_etag', '/_ts', '/_attachments']

/** The id, the levels of the key, and the properties that Cosmos DB itself writes. */
export function fixedPaths(keyPaths: readonly string[]): FixedPaths {
  return ['/id', ...keyPaths.map(pointerOfPath), ...SYSTEM_PATHS]
}

/** Whether `outer` is equal to `path` or a parent of it. */
export function covers(outer: string, path: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}

/** Rejects a record that cannot be mapped. */
export function rejectMapping(code: SinkCode, path = ''): SinkRejection {
  const { sentence } = SINK_CODES[code]
  const message = path === '' ? sentence : `${sentence.replace(/\.$/, ':')} ${path}.`
  return { ok: false, stage: 'map', code, message, path }
}

/** Converts a rejection by the key plan to one of the sink. */
export function rejectedByPlan({ code, message, path }: Rejection): SinkRejection {
  return { ok: false, stage: 'map', code, message, path }
}

/** Value at a JSON pointer in the original record; undefined if there is none. */
export function valueAt(stamped: StampedBytes, pointer: readonly string[]): unknown {
  const [name, ...inside] = pointer
  return inside.reduce<unknown>(stepInto, readProperty(stamped, name))
}

/** Properties of the original record. If a name occurs more than once, its last value. */
export function membersOf({ bytes, start, end }: StampedBytes): object {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()) as object
}

/** Splits a JSON pointer into its names. */
export function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Escapes a name for a JSON pointer. */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function stepInto(holder: unknown, step: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined
  return (holder as Record<string, unknown>)[step]
}
