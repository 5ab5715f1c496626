import { UNAUTHORIZED_403 } from '../client/cosmos-error.ts'
import type { WriteCode } from './outcome.ts'

/** Meaning of an answer for the operations that were sent. */
export type Verdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'rejected'; readonly code: WriteCode }
  /**
   * Nothing was changed, and waiting helps, so no attempt is counted. The wait applies to the range, to the whole
   * endpoint, or only to the key.
   */
  | { readonly kind: 'throttled'; readonly scope: 'range' | 'endpoint' | 'key' }
  /** May succeed later. `isAmbiguous`: the write may have been applied. */
  | { readonly kind: 'again'; readonly isAmbiguous: boolean }
  /**
   * The range has moved. `isMoving`: the new ranges may not be listed yet. `isNew`: the container may be another one.
   */
  | { readonly kind: 'moved'; readonly isMoving: boolean; readonly isNew: boolean }
  /** The account has moved its regions. */
  | { readonly kind: 'endpoint' }
  /** Cosmos DB refused the request as a whole: smaller requests may succeed. */
  | { readonly kind: 'divide'; readonly code: WriteCode }
  /** Cosmos DB refused the credentials: retried with a new signature. */
  | { readonly kind: 'unauthorized' }
  /** Cosmos DB answers that the container does not exist: retried after a check. */
  | { readonly kind: 'missing' }
  /** Cosmos DB will not accept anything. */
  | { readonly kind: 'fatal' }

/**
 * Verdict on the answer for one operation of a bulk or batch request. Defined for every status: an unknown status
 * rejects the operation.
 */
export function verdictOnOperation(status: number, subStatus: number): Verdict {
  if (status >= 200 && status < 300) return DONE
  switch (status) {
    case 304:
      return DONE
    case 400:
      return subStatus === CONTAINER_MISMATCH ? MOVED_ELSEWHERE : reject('COSMOS_REJECTED')
    case 403:
      return forbidden(subStatus)
    case 404:
      if (subStatus === OWNER_MISSING) return { kind: 'missing' }
      return subStatus === 0 ? reject('NOT_FOUND') : AGAIN
    case 409:
      return reject(subStatus === UNIQUE_TAKEN ? 'UNIQUE_KEY_TAKEN' : 'ALREADY_EXISTS')
    case 412:
      return reject('PRECONDITION_FAILED')
    case 413:
      // 3402: the operation was applied, but the answer was too large
      return subStatus === ANSWER_TOO_LARGE ? AGAIN_AMBIGUOUS : reject('DOCUMENT_TOO_LARGE')
    case 424:
      return reject('BATCH_FAILED')
    default:
      return verdictOnState(status, subStatus) ?? reject('COSMOS_REJECTED')
  }
}

/**
 * Verdict on the answer for a whole request. Defined for every status: an unknown status stops the writer, because it
 * says nothing about single records.
 */
export function verdictOnRequest(status: number, subStatus: number): Verdict {
  switch (status) {
    case 400:
      return subStatus === CONTAINER_MISMATCH ? MOVED_ELSEWHERE : { kind: 'divide', code: 'COSMOS_REJECTED' }
    case 401:
      return { kind: 'unauthorized' }
    case 403:
      return forbidden(subStatus)
    case 404:
      return subStatus === CREATION_IN_PROGRESS || subStatus === SESSION_NOT_AVAILABLE ? AGAIN : { kind: 'missing' }
    case 413:
      return { kind: 'divide', code: 'DOCUMENT_TOO_LARGE' }
    default:
      return verdictOnState(status, subStatus) ?? { kind: 'fatal' }
  }
}

const CONTAINER_MISMATCH = 1024
const OWNER_MISSING = 1003
const SESSION_NOT_AVAILABLE = 1002
const CREATION_IN_PROGRESS = 1013
const UNIQUE_TAKEN = 3301
const ANSWER_TOO_LARGE = 3402
const PARTITION_FULL = 1014
const WRITE_FORBIDDEN = 3
const ACCOUNT_GONE = 1008

const DONE: Verdict = { kind: 'done' }
const AGAIN: Verdict = { kind: 'again', isAmbiguous: false }
const AGAIN_AMBIGUOUS: Verdict = { kind: 'again', isAmbiguous: true }
const MOVED_ELSEWHERE: Verdict = { kind: 'moved', isMoving: false, isNew: true }

function reject(code: WriteCode): Verdict {
  return { kind: 'rejected', code }
}

function forbidden(subStatus: number): Verdict {
  if (subStatus === WRITE_FORBIDDEN || subStatus === ACCOUNT_GONE) return { kind: 'endpoint' }
  if (UNAUTHORIZED_403.has(subStatus)) return { kind: 'unauthorized' }
  return subStatus === PARTITION_FULL ? reject('PARTITION_FULL') : { kind: 'fatal' }
}

/**
 * Verdicts that depend on the state of the service, so that they are the same for an operation and for a whole request.
 */
function verdictOnState(status: number, subStatus: number): Verdict | undefined {
  switch (status) {
    case 408:
    case 500:
    case 502:
    case 503:
    case 504:
      return AGAIN_AMBIGUOUS
    case 449:
      return AGAIN
    case 410:
      return gone(subStatus)
    case 429:
      return { kind: 'throttled', scope: SCOPES[subStatus] ?? 'range' }
    default:
      return undefined
  }
}

// 410/0: a replica has moved, but not the range
function gone(subStatus: number): Verdict {
  if (subStatus === 0) return AGAIN
  return { kind: 'moved', isMoving: subStatus === 1007 || subStatus === 1008, isNew: subStatus === 1000 }
}

const SCOPES: Readonly<Record<number, 'endpoint' | 'key'>> = { 3201: 'endpoint', 3212: 'endpoint', 3214: 'key' }
