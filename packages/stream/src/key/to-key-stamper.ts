import { createPlan, KeystampError, type Plan, type PlanDefinition } from '@keystamp/core'
import { functionStamper } from './function-stamper.ts'
import type { KeyFunction, KeyOptions, KeyStamper } from './key-stamper.ts'

/** Converts a plan, a plan's JSON, or a function of the record to a key stamper. */
export function toKeyStamper(source: unknown, options: KeyOptions): KeyStamper {
  if (typeof source === 'function') return functionStamper(source as KeyFunction<unknown>, options)
  if (options.into !== undefined || options.existing !== undefined) {
    throw new KeystampError('OPTION_INVALID', '`into` and `existing` go with a key function: a key plan carries its own.')
  }
  const plan = isPlan(source) ? source : createPlan(source as PlanDefinition, { random: options.random ?? Math.random })
  return {
    stampRecord: plan.stamp,
    stampBytes: (bytes, start, end) => plan.stampBytes(bytes, undefined, start, end),
    stampElement: (bytes, start, limit) => plan.stampElement(bytes, undefined, start, limit),
    written: [...plan.partitionKey.paths, '/id']
  }
}

function isPlan(source: unknown): source is Plan {
  return typeof source === 'object' && source !== null && 'stampBytes' in source && typeof source.stampBytes === 'function'
}
