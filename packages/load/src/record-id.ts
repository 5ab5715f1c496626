import { createHash } from 'node:crypto'
import { createPlan, KeystampError, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { CLOSE_BRACE, MemberTable, OPEN_BRACE, toFieldPointer } from '@keystamp/core/internal'

/** Source of ids for records without an id: a field, a hash of the record, or the record's input and line. */
export type IdSource = 'hash' | 'position' | `field:${string}`

/** Makes an id for a record without one: always the same id for the same record at the same position. */
export type IdMaker = (record: Uint8Array, input: string, line: number) => string | Rejection

/** Returns the record with its id converted to a string. */
export type IdConverter = (record: Uint8Array) => Buffer | Rejection

/** Creates the maker for `field:/x`, `hash` or `position`. */
export function createIdMaker(source: string | undefined): IdMaker | undefined {
  if (source === undefined) return undefined
  if (source === 'hash') return hashOf
  if (source === 'position') return positionOf
  const field = fieldOf(source)
  if (field === undefined) {
    const meant = /^[\w./]+$/.test(source) ? ` Did you mean field:${source}?` : ''
    throw new KeystampError('OPTION_INVALID', `\`id\` must be field:<name>, hash or position, not "${source}".${meant}`)
  }
  const { stampBytes } = createIdPlan(field)
  return (record) => {
    const stamped = stampBytes(record)
    return stamped.ok ? stamped.id! : stamped
  }
}

/** Creates a converter if the source is the field `id` itself; returns undefined for any other source. */
export function createIdConverter(source: string | undefined): IdConverter | undefined {
  if (source === undefined || fieldOf(source) !== '/id') return undefined
  const { stampBytes } = createIdPlan('/id')
  return (record) => {
    const stamped = stampBytes(record)
    if (!stamped.ok) return stamped
    const { bytes, id } = stamped
    const members = new MemberTable(stamped)
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

/** Converts the name of an input to a part of ids with `position`. */
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

/** Returns the JSON object with `id` as its first property. The object must not have an id. */
export function withId(record: Uint8Array, id: string): Buffer {
  const brace = record.indexOf(OPEN_BRACE)
  const rest = record.subarray(brace + 1)
  const isEmpty = rest.find((byte) => byte > 0x20) === CLOSE_BRACE
  return Buffer.concat([Buffer.from(`{"id":${JSON.stringify(id)}${isEmpty ? '' : ','}`), rest])
}
