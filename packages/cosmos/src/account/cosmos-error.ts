import { type ErrorCode, KeystampError } from '@keystamp/core'

/** What is known of a failure beside its sentence. */
export interface CosmosErrorFacts {
  /** Whether the same call can succeed later. */
  readonly retriable?: boolean
  readonly statusCode?: number | undefined
  readonly subStatus?: number | undefined
  readonly retryAfterMs?: number | undefined
  /** The id that support asks for. */
  readonly activityId?: string | undefined
  readonly cause?: unknown
}

/** Thrown when Cosmos DB does not answer, or answers what the work cannot go on with. */
export class CosmosError extends KeystampError {
  override readonly retriable: boolean
  readonly statusCode: number | undefined
  readonly subStatus: number | undefined
  readonly retryAfterMs: number | undefined
  readonly activityId: string | undefined

  constructor(code: ErrorCode, message: string, facts: CosmosErrorFacts = {}) {
    super(code, message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.name = 'CosmosError'
    this.retriable = facts.retriable ?? false
    this.statusCode = facts.statusCode
    this.subStatus = facts.subStatus
    this.retryAfterMs = facts.retryAfterMs
    this.activityId = facts.activityId
  }
}
