import { createPlan, type KeyDefinition, type KeyValue, type Plan } from '@keystamp/core'
import { pointerOfPath } from '../client/container.ts'

/** Finds key and id of a record, with a plan or at the key paths of the container. */
export type KeyFinder = Pick<Plan, 'stamp' | 'stampBytes'>

const ID_PATH = '/id'

/**
 * Creates a finder for records that already contain their keys at the key paths of the container. It writes nothing
 * into them.
 */
export function keysFromRecord({ paths = [], version = 1 }: KeyDefinition): KeyFinder {
  const others = paths.filter((path) => path !== ID_PATH)
  const plan = others.length === 0 ? READS_NO_KEY : passThrough(others, version)
  return others.length === paths.length ? plan : withId(plan, paths, others.length > 0)
}

function passThrough(paths: readonly string[], hashVersion: 1 | 2): Plan {
  // accepts an empty string, because a container accepts an empty string as a key
  const levels = paths
    .map(pointerOfPath)
    .map((pointer) => ({ into: pointer, from: [{ field: pointer, empty: { use: '' } }] }))
  return createPlan({ levels, hashVersion }, { requireId: true }) as Plan
}

// a plan has to write a key; the key that this plan writes is discarded
const READS_NO_KEY = createPlan(
  { into: '/key', from: [{ field: '/id' }], existing: 'overwrite' },
  { requireId: true }
) as Plan

/** Adds the id to the values of the key, because a plan cannot write its key to /id. */
function withId(plan: Plan, paths: readonly string[], hasOthers: boolean): KeyFinder {
  const insert = (values: readonly KeyValue[], id: unknown): readonly KeyValue[] => {
    const others = hasOthers ? [...values] : []
    // an id that is not a string is rejected later
    return paths.map((path) => (path === ID_PATH ? String(id) : others.shift()!))
  }
  return {
    stamp: ((record: object, source) => {
      const { id } = record as { readonly id?: unknown }
      if (!hasOthers) return { ok: true, record, values: insert([], id), id: undefined, version: 0 }
      const result = plan.stamp(record, source)
      return result.ok ? { ...result, values: insert(result.values, id) } : result
    }) as Plan['stamp'],
    stampBytes: (...from) => {
      const result = plan.stampBytes(...from)
      if (!result.ok) return result
      return { ...result, values: insert(result.values, result.id), splices: hasOthers ? result.splices : [] }
    }
  }
}
