import type { ErrorCode } from '@keystamp/core'
import { CosmosError } from '@keystamp/cosmos'

const CODES: ReadonlySet<string> = new Set(['COSMOS_UNAUTHORIZED', 'COSMOS_UNAVAILABLE', 'COSMOS_REFUSED'])

/** An error that names its container, since a move has two, perhaps with different keys. */
export function named(name: string, error: unknown): unknown {
  if (!(error instanceof CosmosError) || !CODES.has(error.code) || error.message.includes(name)) return error
  const { code, message, retriable, statusCode, subStatus, retryAfterMs, activityId } = error
  const facts = { retriable, statusCode, subStatus, retryAfterMs, activityId, cause: error }
  return new CosmosError(code as ErrorCode, `${name}: ${message}`, facts)
}

/** Runs a call of a container, and names the container in its errors. */
export async function naming<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw named(name, error)
  }
}
