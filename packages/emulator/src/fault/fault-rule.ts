import { isObject, refuseUnless } from '../service-error.ts'
import { KIND_GROUPS, kindsOf, REQUEST_KINDS } from './request-kind.ts'

/** An injected fault: the requests to which it applies, how often, and its action. */
export interface FaultRule {
  /** A kind of request, a group of kinds, or `bulkOperation` for single operations of bulk requests. Default: `any`. */
  readonly on?: string | readonly string[]
  /** For `bulkOperation`: `Create`, `Upsert`, `Replace`, `Read`, `Delete` or `Patch`. */
  readonly operationType?: string
  readonly database?: string
  readonly container?: string
  /** Id of the range that serves the request. */
  readonly range?: string
  /** Id of the item. */
  readonly id?: string
  /** Partition key as a JSON array, such as `["a"]`. */
  readonly partitionKey?: string
  /** Number of matching requests that pass first. Default: 0. */
  readonly after?: number
  /** Maximum number of requests to which the fault is applied. Default: no limit. */
  readonly count?: number
  /** Apply with this probability. Default: 1. */
  readonly probability?: number
  readonly action: FaultAction
}

/** Action of a fault. */
export type FaultAction =
  /** Answer with a status and change nothing. */
  | ({ readonly kind: 'status' } & FaultStatus)
  /** Wait before the request is served. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Reset the connection and change nothing. */
  | { readonly kind: 'reset' }
  /** Serve the request, then reset the connection without an answer. */
  | { readonly kind: 'applyThenDrop' }
  /** Serve the request, then answer after a delay, which may exceed the client's timeout. */
  | { readonly kind: 'applyThenDelay'; readonly ms: number }
  /** Serve the request, then answer with an error. */
  | ({ readonly kind: 'applyThenStatus' } & FaultStatus)
  /** Leave out the last elements of a bulk or batch answer. Default: one. */
  | { readonly kind: 'shortAnswer'; readonly missing?: number }
  /** Answer with a status and no body, and change nothing. Default: 503. */
  | { readonly kind: 'emptyBody'; readonly status?: number }
  /** Answer as a proxy does, in HTML, and change nothing. Default: 502. */
  | { readonly kind: 'htmlBody'; readonly status?: number }
  /** Shift the `date` header of the answer. */
  | { readonly kind: 'clockSkew'; readonly ms: number }

/** Error answer of a fault. */
export interface FaultStatus {
  readonly status: number
  readonly subStatus?: number
  readonly retryAfterMs?: number
  readonly message?: string
}

/** Validates a rule from the control path or from a caller. */
export function parseFaultRule(value: unknown): FaultRule {
  refuseUnless(isObject(value), 'A fault must be a JSON object.')
  for (const name of Object.keys(value)) refuseUnless(name in RULE_TYPES, `A fault has no property '${name}'.`)
  for (const [name, type] of Object.entries(RULE_TYPES)) {
    const isRight = value[name] === undefined || type === 'any' || typeof value[name] === type
    refuseUnless(isRight, `The property '${name}' of a fault must be a ${type}.`)
  }
  for (const word of [value['on'] ?? []].flat()) {
    const isKnown = typeof word === 'string' && kindsOf(word) !== undefined
    refuseUnless(
      isKnown,
      `A fault cannot apply to ${JSON.stringify(word)}. It knows ${[...Object.keys(KIND_GROUPS), 'bulkOperation', ...REQUEST_KINDS].join(', ')}.`
    )
  }
  const { action } = value
  refuseUnless(isObject(action), "The property 'action' of a fault is missing.")
  const kind = action['kind']
  const isKind = typeof kind === 'string' && Object.hasOwn(ACTION_NUMBERS, kind)
  refuseUnless(isKind, `The action of a fault must be one of ${Object.keys(ACTION_NUMBERS).join(', ')}.`)
  for (const name of ACTION_NUMBERS[kind])
    refuseUnless(typeof action[name] === 'number', `The action '${kind}' needs the number '${name}'.`)
  const status = action['status']
  const isStatus =
    status === undefined || (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599)
  refuseUnless(isStatus, "The property 'status' of an action must be an HTTP status.")
  return value as unknown as FaultRule
}

const RULE_TYPES: Readonly<Record<string, string>> = {
  on: 'any',
  operationType: 'string',
  database: 'string',
  container: 'string',
  range: 'string',
  id: 'string',
  partitionKey: 'string',
  after: 'number',
  count: 'number',
  probability: 'number',
  action: 'object'
}

const ACTION_NUMBERS: Readonly<Record<string, readonly string[]>> = {
  status: ['status'],
  delay: ['ms'],
  reset: [],
  applyThenDrop: [],
  applyThenDelay: ['ms'],
  applyThenStatus: ['status'],
  shortAnswer: [],
  emptyBody: [],
  htmlBody: [],
  clockSkew: ['ms']
}
