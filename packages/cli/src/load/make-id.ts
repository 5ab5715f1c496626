import { createHash } from 'node:crypto'
import { createPlan, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { toFieldPointer } from '../plan/field-pointer.ts'
import { UsageError } from '../usage-error.ts'

/** Makes the id of a record that has none: always the same for the same record in the same place. */
export type IdMaker = (record: Uint8Array, input: string, line: number) => string | Rejection

/** Reads `field:/x`, `hash` or `position`. */
export function parseIdMaker(text: string | undefined): IdMaker | undefined {
  if (text === undefined) return undefined
  if (text === 'hash') return hashOf
  if (text === 'position') return positionOf
  const field = fieldOf(text)
  if (field === undefined) {
    const meant = /^[\w./]+$/.test(text) ? ` Did you mean field:${text}?` : ''
    throw new UsageError(`--id takes field:<name>, hash or position, not "${text}".${meant}`)
  }
  const { stampBytes } = createIdPlan(field)
  return (record) => {
    const stamped = stampBytes(record)
    return stamped.ok ? stamped.id! : stamped
  }
}

/** Converts the record's own id to text: undefined unless `--id` names that field. */
export function parseIdConverter(text: string | undefined): IdConverter | undefined {
  if (text === undefined || fieldOf(text) !== '/id') return undefined
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

/** Gives the record with an id that is text. */
export type IdConverter = (record: Uint8Array) => Buffer | Rejection

function fieldOf(text: string): string | undefined {
  const name = /^field:(.+)$/.exec(text)?.[1]
  return name === undefined ? undefined : toFieldPointer(name)
}

/** The sentence for records without an id when nothing was said about that. */
export const ID_CHOICE: string =
  'Say where ids come from: --id field:/name takes a field of the record and converts numbers, --id hash its content (equal records become one document), ' +
  '--id position its file and line (a file must not change between runs); or let the plan make them.'

const HASH_DIGITS = 32

function hashOf(record: Uint8Array): string {
  return createHash('sha256').update(record).digest('hex').slice(0, HASH_DIGITS)
}

function positionOf(_record: Uint8Array, input: string, line: number): string {
  return `${inputId(input)}-${line + 1}`
}

/** A name that can be part of an id. */
export function inputId(input: string): string {
  return input === '-' ? 'stdin' : input.replaceAll(/[^A-Za-z0-9._-]/g, '_')
}

// its key is looked at by nobody
function createIdPlan(field: string): Plan {
  const definition: PlanDefinition = {
    into: '/unused',
    from: [{ id: true }],
    existing: 'overwrite',
    id: { from: [{ field }], existing: 'overwrite' }
  }
  return createPlan(definition)
}
