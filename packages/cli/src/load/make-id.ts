import { createHash } from 'node:crypto'
import { createPlan, type PlanDefinition, type Rejection } from '@keystamp/core'
import { UsageError } from '../usage-error.ts'

/** Makes the id of a record that has none: always the same for the same record in the same place. */
export type IdMaker = (record: Uint8Array, input: string, line: number) => string | Rejection

/** Reads `field:/x`, `hash` or `position`. */
export function parseIdMaker(text: string | undefined): IdMaker | undefined {
  if (text === undefined) return undefined
  if (text === 'hash') return hashOf
  if (text === 'position') return positionOf
  const field = /^field:(\/.+)$/.exec(text)?.[1]
  if (field === undefined) throw new UsageError(`--id takes field:/name, hash or position, not "${text}".`)
  return createFieldId(field)
}

/** The sentence for records without an id when nothing was said about that. */
export const ID_CHOICE: string =
  'Say where ids come from: --id field:/name takes a member of the record, --id hash its content (equal records become one document), ' +
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

function createFieldId(field: string): IdMaker {
  const definition: PlanDefinition = {
    into: '/unused',
    from: [{ id: true }],
    existing: 'overwrite',
    id: { from: [{ field }], existing: 'overwrite' }
  }
  const plan = createPlan(definition)
  return (record) => {
    const stamped = plan.stampBytes(record)
    return stamped.ok ? stamped.id! : stamped
  }
}
