import { createPlan, type Plan, type PlanDefinition, type Rejection } from '@keystamp/core'
import type { DocumentSource } from '@keystamp/cosmos'
import type { IdMaker } from './make-id.ts'
import { withId } from './with-id.ts'

/** Turns a line into what is written. */
export type ShapeLine = (record: Uint8Array, input: string, line: number) => DocumentSource | Rejection

/** Stamps by the plan, and makes ids where the record has none. Without a plan the writer takes the key from the record. */
export function createShape(plan: Plan | undefined, idMaker: IdMaker | undefined): ShapeLine {
  const finder = plan ?? createPlan(ID_FINDER, { requireId: true })
  return (record, input, line) => {
    if (plan === undefined && idMaker === undefined) return { bytes: record }
    const stamped = finder.stampBytes(record)
    if (stamped.ok) return plan === undefined ? { bytes: record } : { stamped }
    if (stamped.code !== 'ID_MISSING' || idMaker === undefined) return stamped
    const id = idMaker(record, input, line)
    if (typeof id !== 'string') return id
    const complete = withId(record, id)
    if (plan === undefined) return { bytes: complete }
    const again = plan.stampBytes(complete)
    return again.ok ? { stamped: again } : again
  }
}

// its key is looked at by nobody
const ID_FINDER: PlanDefinition = { into: '/unused', from: [{ id: true }], existing: 'overwrite' }
