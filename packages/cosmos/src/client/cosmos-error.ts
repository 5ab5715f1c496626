import { type ErrorCode, isKeystampError, KeystampError } from '@keystamp/core'

/** Facts about a failure, in addition to its message. */
export interface CosmosErrorFacts {
  /** Whether the same call can succeed later. */
  readonly retriable?: boolean
  readonly statusCode?: number | undefined
  readonly subStatus?: number | undefined
  readonly retryAfterMs?: number | undefined
  /** Id of the request, which Azure support needs. */
  readonly activityId?: string | undefined
  readonly cause?: unknown
}

/** Thrown if Cosmos DB does not answer, or if its answer ends the work. */
export class CosmosError extends KeystampError {
  override readonly retriable: boolean
  // only declared, so that an unknown fact leaves no property
  declare readonly statusCode?: number
  declare readonly subStatus?: number
  declare readonly retryAfterMs?: number
  declare readonly activityId?: string

  constructor(code: ErrorCode, message: string, facts: CosmosErrorFacts = {}) {
    super(code, message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.name = 'CosmosError'
    this.retriable = facts.retriable ?? false
    for (const name of FACTS) if (facts[name] !== undefined) Object.assign(this, { [name]: facts[name] })
  }
}

const FACTS = ['statusCode', 'subStatus', 'retryAfterMs', 'activityId'] as const

/** A failed status of the service, with facts from its headers. */
export interface FailedAnswer {
  readonly status: number
  readonly subStatus: number
  readonly retryAfterMs?: number | undefined
  readonly activityId?: string | undefined
}

/** Creates the error for an answer. `what` names the attempt, such as "reading the container c of d at https://...". */
export function errorOfAnswer(
  what: string,
  { status, subStatus, retryAfterMs, activityId }: FailedAnswer
): CosmosError {
  const facts: CosmosErrorFacts = { statusCode: status, subStatus, retryAfterMs, activityId }
  const code = subStatus === 0 ? `${status}` : `${status}/${subStatus}`
  if (status === 401) {
    const why = 'The key or token is wrong or has expired, or the clock of this machine is more than 15 minutes off.'
    return new CosmosError('COSMOS_UNAUTHORIZED', `Cosmos DB refused ${what} (${code}). ${why}`, facts)
  }
  if (status === 403 && UNAUTHORIZED_403.has(subStatus)) {
    const why = 'The firewall blocks this address, a role is not assigned, or the key is disabled.'
    return new CosmosError('COSMOS_UNAUTHORIZED', `Cosmos DB refused ${what} (${code}). ${why}`, facts)
  }
  if (status === 404 && !TEMPORARY_404.has(subStatus)) {
    const message = `There is no such database or container: Cosmos DB answered ${code} to ${what}. Check the names, or create it first.`
    return new CosmosError('CONTAINER_MISSING', message, facts)
  }
  const retriable = status === 404 || isTemporary(status)
  const remedy = retriable ? 'Retrying can help.' : 'Retrying does not help.'
  return new CosmosError(
    retriable ? 'COSMOS_UNAVAILABLE' : 'COSMOS_REFUSED',
    `Cosmos DB answered ${code} to ${what}. ${remedy}`,
    {
      ...facts,
      retriable
    }
  )
}

/** Creates the error for an attempt without a readable answer. */
export function errorWithoutAnswer(what: string, cause: unknown): CosmosError {
  if (isKeystampError(cause) && cause instanceof CosmosError) return cause
  const code = codeOf(cause)
  const why =
    code === 'ENOTFOUND' ? 'The host is not known; check the endpoint.' : 'Check the endpoint and the network.'
  return new CosmosError(
    'COSMOS_UNAVAILABLE',
    `No answer from Cosmos DB to ${what}${code === undefined ? '' : ` (${code})`}. ${why}`,
    {
      retriable: true,
      cause
    }
  )
}

/** Converts an error of the SDK. Its `code` is a status, or a string such as ECONNREFUSED. */
export function errorOfSdk(what: string, cause: unknown): CosmosError {
  const { code, substatus, retryAfterInMs, activityId } = (cause ?? {}) as SdkError
  if (typeof code !== 'number') return errorWithoutAnswer(what, cause)
  return errorOfAnswer(what, { status: code, subStatus: substatus ?? 0, retryAfterMs: retryAfterInMs, activityId })
}

interface SdkError {
  readonly code?: unknown
  readonly substatus?: number
  readonly retryAfterInMs?: number
  readonly activityId?: string
}

/** No permission: firewall or disabled key (0), and role-based access control (5300, 5301). */
export const UNAUTHORIZED_403: ReadonlySet<number> = new Set([0, 5300, 5301])

/**
 * Temporary 404s: a replica does not have the session token yet (1002), or a container is still being created (1013).
 */
const TEMPORARY_404: ReadonlySet<number> = new Set([1002, 1013])

const TEMPORARY: ReadonlySet<number> = new Set([408, 410, 429, 449, 500, 502, 503, 504])

// other 403s are temporary: a region has moved, or the account is not available for a while
function isTemporary(status: number): boolean {
  return status === 403 || TEMPORARY.has(status)
}

function codeOf(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : undefined
}
