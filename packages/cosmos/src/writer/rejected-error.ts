import { KeystampError } from '@keystamp/core'
import type { Rejected } from '../classify/outcome.ts'

/** Thrown by `upsert` for a record that is not stored. */
export class RejectedError extends KeystampError {
  /** Why: the code of the outcome. */
  declare readonly code: Rejected['code']
  readonly outcome: Rejected

  constructor(outcome: Rejected) {
    super('RECORD_REJECTED', outcome.message)
    this.name = 'RejectedError'
    Object.assign(this, { code: outcome.code })
    this.outcome = outcome
  }
}
