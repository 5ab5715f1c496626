import type { PatchOperation } from '@keystamp/cosmos'
import type { WriteSettings } from '../config/settings.ts'
import type { FixedPaths } from './fixed-paths.ts'
import { pointerStep } from './json-value.ts'
import { createPatchSteps } from './patch-steps.ts'
import { createMetadata } from './record-metadata.ts'
import { createTimeToLive } from './time-to-live.ts'
import type { ToOperation } from './to-operation.ts'

/** Patches what is stored with the members of a record. A condition that does not hold leaves the document as it is. */
export function createPatch({ patch, drop, ttl, metadata }: WriteSettings, fixed: FixedPaths): ToOperation {
  const ownNames = [...(ttl === undefined ? [] : ['ttl']), ...(metadata === undefined ? [] : [metadata.into])]
  const makeSteps = createPatchSteps({ settings: patch, fixed, leftOut: [...drop, ...ownNames] })
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)
  const condition = patch?.condition
  const whether: Pick<PatchOperation, 'condition' | 'ignore'> = condition === undefined ? {} : { condition, ignore: [412] }

  return (stamped, record) => {
    const steps = makeSteps(stamped)
    if ('ok' in steps) return steps
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    if (seconds !== undefined) steps.push({ op: 'set', path: '/ttl', value: seconds })
    if (describe !== undefined) steps.push({ op: 'set', path: pointerStep(metadata!.into), value: describe(record) })
    return { ...whether, kind: 'patch', key: stamped.values, id: stamped.id!, steps }
  }
}
