import type { Rejection, StampedBytes } from '@keystamp/core'
import { type Operation, pointerOfPath } from '@keystamp/cosmos'
import type { Decoded } from '../decode/decoder.ts'
import type { SinkRecord } from '../record.ts'
import { SINK_CODES, type SinkCode, type SinkRejection } from '../dead-letter/sink-codes.ts'

/** What surrounds a document, its key as it was decoded. */
export type KeyedRecord = Omit<SinkRecord, 'key' | 'value'> & Pick<Decoded, 'key'>

/** What is to be done with a document whose key and id are known. */
export type ToOperation = (stamped: StampedBytes, record: KeyedRecord) => Operation | SinkRejection

/** JSON pointers of what stays as it is once a document is stored. */
export type FixedPaths = readonly string[]

const SYSTEM_PATHS: FixedPaths = ['/_rid', '/_self', '/_etag', '/_ts', '/_attachments']

/** The id, the levels of the key, and what Cosmos DB itself writes. */
export function fixedPaths(keyPaths: readonly string[]): FixedPaths {
  return ['/id', ...keyPaths.map(pointerOfPath), ...SYSTEM_PATHS]
}

/** Whether the place that `outer` names is, or holds, the one that `path` names. */
export function covers(outer: string, path: string): boolean {
  return path === outer || path.startsWith(`${outer}/`)
}

/** A record that cannot be mapped. */
export function rejectMapping(code: SinkCode, path = ''): SinkRejection {
  const { sentence } = SINK_CODES[code]
  const message = path === '' ? sentence : `${sentence.replace(/\.$/, ':')} ${path}.`
  return { ok: false, stage: 'map', code, message, path }
}

/** What the key plan says of a record, in the words of the sink. */
export function rejectedByPlan({ code, message, path }: Rejection): SinkRejection {
  return { ok: false, stage: 'map', code, message, path }
}

/** The value at a JSON pointer of the record as it came in; undefined where there is none. */
export function valueAt({ members, bytes }: StampedBytes, pointer: readonly string[]): unknown {
  const [name, ...inside] = pointer
  const member = members.find(name)
  if (member < 0) return undefined
  const value: unknown = JSON.parse(textOf(bytes, members.valueStart(member), members.valueEnd(member)))
  return inside.reduce((holder, step) => stepInto(holder, step), value)
}

/** The members of the record as it came in, of repeated ones the last. */
export function membersOf({ bytes, start, end }: StampedBytes): object {
  return JSON.parse(textOf(bytes, start, end)) as object
}

/** The names that a JSON pointer is made of. */
export function namesOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** One step of a JSON pointer. */
export function pointerStep(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function stepInto(holder: unknown, step: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined
  return (holder as Record<string, unknown>)[step]
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}
