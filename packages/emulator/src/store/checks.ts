import { ServiceError } from '../wire/service-error.ts'

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Refuses a request with 400 and this sentence unless the condition holds. */
export function refuseUnless(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ServiceError(400, message)
}
