import {
  createPlan,
  type Key,
  type PlanDefinition,
  type PlanOptions,
  type Rejection,
  type Source
} from '../../src/index.ts'

/** Stamps one record with a plan. Returns the key, or the rejection. */
export function keyOf(
  definition: PlanDefinition,
  record: unknown,
  source?: Source,
  options?: PlanOptions
): Key | Rejection {
  const result = createPlan(definition, options).stamp(record, source)
  if (!result.ok) return result
  return result.values.length === 1 ? result.values[0] : result.values
}

/** Stamps the JSON bytes of one record. Returns the key, or the rejection. */
export function keyOfBytes(
  definition: PlanDefinition,
  json: string,
  source?: Source,
  options?: PlanOptions
): Key | Rejection {
  const result = createPlan(definition, options).stampBytes(new TextEncoder().encode(json), source)
  if (!result.ok) return result
  return result.values.length === 1 ? result.values[0] : result.values
}
