import { KeystampError } from '@keystamp/core'
import type { Rejected } from './rejected.ts'

/** Stops the work at a record that gets no key. `rejected` says which one and why. */
export class RecordRejectedError extends KeystampError {
  readonly rejected: Rejected

  constructor(rejected: Rejected) {
    super('RECORD_REJECTED', rejected.message, rejected.cause === undefined ? undefined : { cause: rejected.cause })
    this.name = 'RecordRejectedError'
    this.rejected = rejected
  }
}
