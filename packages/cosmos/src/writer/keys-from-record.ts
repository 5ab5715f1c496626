import { createPlan, type KeyDefinition, type KeyValue, type Plan } from '@keystamp/core'
import { pointerOfPath } from '../client/container.ts'

/** Finds key and id of a record: a plan, or the key paths of the container. */
export type KeyFinder = Pick<Plan, 'stamp' | 'stampBytes'>

const ID_PATH = '/id'

/** Finds keys in records that carry them at the container's key paths: writes nothing into them. */
export function keysFromRecord({ paths = [], version = 1 }: KeyDefinition): KeyFinder {
  const others = paths.filter((path) => path !== ID_PATH)
  const plan = others.length === 0 ? READS_NO_KEY : passThrough(others, version)
  return others.length === paths.length ? plan : withId(plan, paths, others.length > 0)
}

function passThrough(paths: readonly string[], hashVersion: 1 | 2): Plan {
  // a container accepts an empty string as a key, and without a plan so does the writer
  const levels = paths
    .map(pointerOfPath)
    .map((pointer) => ({ into: pointer, from: [{ field: pointer, empty: { use: '' } }] }))
  return createPlan({ levels, hashVersion }, { requireId: true }) as Plan
}

// a plan has to write something; what this one writes is discarded
const READS_NO_KEY = createPlan(
  { into: '/key', from: [{ field: '/id' }], existing: 'overwrite' },
  { requireId: true }
) as Plan

/** Adds the id as a level of the key, which no plan may write. */
function withId(plan: Plan, paths: readonly string[], hasOthers: boolean): KeyFinder {
  const insert = (values: readonly KeyValue[], id: unknown): readonly KeyValue[] => {
    const others = hasOthers ? [...values] : []
    // an id that is no string is rejected later
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
