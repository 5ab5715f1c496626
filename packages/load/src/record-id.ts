import { createHash } from 'node:crypto'
import { createPlan, KeystampError, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { CLOSE_BRACE, OPEN_BRACE, toFieldPointer } from '@keystamp/core/internal'

/** Source of ids for records without one: a field, a hash of the record, or its input and line. */
export type IdSource = 'hash' | 'position' | `field:${string}`

/** Makes the id of a record that has none: the same one each time for the same record at the same position. */
export type IdMaker = (record: Uint8Array, input: string, line: number) => string | Rejection

/** Converts an id that is not a string: gives the record with one that is. */
export type IdConverter = (record: Uint8Array) => Buffer | Rejection

/** Reads `field:/x`, `hash` or `position`. */
export function createIdMaker(source: string | undefined): IdMaker | undefined {
  if (source === undefined) return undefined
  if (source === 'hash') return hashOf
  if (source === 'position') return positionOf
  const field = fieldOf(source)
  if (field === undefined) {
    const meant = /^[\w./]+$/.test(source) ? ` Did you mean field:${source}?` : ''
    throw new KeystampError('OPTION_INVALID', `\`id\` takes field:<name>, hash or position, not "${source}".${meant}`)
  }
  const { stampBytes } = createIdPlan(field)
  return (record) => {
    const stamped = stampBytes(record)
    return stamped.ok ? stamped.id! : stamped
  }
}

/** Undefined unless the source is the field `id` itself. */
export function createIdConverter(source: string | undefined): IdConverter | undefined {
  if (source === undefined || fieldOf(source) !== '/id') return undefined
  const { stampBytes } = createIdPlan('/id')
  return (record) => {
    const stamped = stampBytes(record)
    if (!stamped.ok) return stamped
    const { members, bytes, id } = stamped
    const member = members.find('id')
    const before = bytes.subarray(0, members.valueStart(member))
    return Buffer.concat([before, Buffer.from(JSON.stringify(id)), bytes.subarray(members.valueEnd(member))])
  }
}

function fieldOf(source: string): string | undefined {
  const name = /^field:(.+)$/.exec(source)?.[1]
  return name === undefined ? undefined : toFieldPointer(name)
}

const HASH_DIGITS = 32

function hashOf(record: Uint8Array): string {
  return createHash('sha256').update(record).digest('hex').slice(0, HASH_DIGITS)
}

function positionOf(_record: Uint8Array, input: string, line: number): string {
  return `${inputId(input)}-${line + 1}`
}

/** Name of an input as a part of ids by position. */
export function inputId(input: string): string {
  return input === '-' ? 'stdin' : input.replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

function createIdPlan(field: string): Plan {
  const definition: PlanDefinition = {
    // this key is never used
    into: '/unused',
    from: [{ id: true }],
    existing: 'overwrite',
    id: { from: [{ field }], existing: 'overwrite' }
  }
  return createPlan(definition)
}

/** The JSON object with an id as its first member; the object must have none. */
export function withId(record: Uint8Array, id: string): Buffer {
  const brace = record.indexOf(OPEN_BRACE)
  const rest = record.subarray(brace + 1)
  const isEmpty = rest.find((byte) => byte > 0x20) === CLOSE_BRACE
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)}${isEmpty ? '' : ','}`), rest])
}
