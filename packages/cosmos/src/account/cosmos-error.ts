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
  // declared only: a fact that is not known leaves no property behind
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
