import { createPlan, type KeyDefinition, type KeyValue, type Plan } from '@keystamp/core'
import { pointerOfPath } from '../client/key-path.ts'

/** What finds key and id of a record: a plan, or what the container says of where they are. */
export type KeyFinder = Pick<Plan, 'stamp' | 'stampBytes'>

const ID_PATH = '/id'

/** For records that carry their key where the container looks for it: nothing is written into them. */
export function keysFromRecord({ paths = [], version = 1 }: KeyDefinition): KeyFinder {
  const others = paths.filter((path) => path !== ID_PATH)
  const plan = others.length === 0 ? READS_NO_KEY : passThrough(others, version)
  return others.length === paths.length ? plan : withId(plan, paths, others.length > 0)
}

function passThrough(paths: readonly string[], hashVersion: 1 | 2): Plan {
  // a container takes empty text as a key, and without a plan nobody has said otherwise
  const levels = paths.map(pointerOfPath).map((pointer) => ({ into: pointer, from: [{ field: pointer, empty: { use: '' } }] }))
  return createPlan({ levels, hashVersion }, { requireId: true }) as Plan
}

// a plan has to write something; what this one would write is thrown away
const READS_NO_KEY = createPlan({ into: '/key', from: [{ field: '/id' }], existing: 'overwrite' }, { requireId: true }) as Plan

/** The id as a level of the key, which no plan may write. */
function withId(plan: Plan, paths: readonly string[], hasOthers: boolean): KeyFinder {
  const insert = (values: readonly KeyValue[], id: unknown): readonly KeyValue[] => {
    const others = hasOthers ? [...values] : []
    // what is no text is rejected where the id is looked at
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
