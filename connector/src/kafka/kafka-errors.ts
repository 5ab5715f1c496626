import { isKeystampError, KeystampError } from '@keystamp/core'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'

/** Properties that errors of kafkajs, or any of their causes, can have. */
interface KafkajsError {
  readonly name?: string
  readonly type?: string
  /** Error code of Node for the connection. */
  readonly code?: string | number
  readonly message?: string
  readonly cause?: unknown
  readonly originalError?: unknown
  readonly retriable?: boolean
}

/** Classified error of Kafka. `passes`: retrying can help. */
export interface KafkaFailure {
  readonly passes: boolean
  /** The group has begun a new generation, or is about to. */
  readonly isMembership: boolean
  /** The credentials, the ACLs or a certificate were refused. */
  readonly isUnauthorized: boolean
  readonly error: KeystampError
}

/**
 * Classifies an error that kafkajs threw. `doing` completes "Kafka failed ...". Retrying does not help after an unknown
 * error.
 */
export function toKafkaFailure(thrown: unknown, doing: string): KafkaFailure {
  const chain = causesOf(thrown)
  const ours = chain.find(isKeystampError)
  if (ours !== undefined)
    return { passes: false, isMembership: false, isUnauthorized: ours.code === 'KAFKA_UNAUTHORIZED', error: ours }
  const types = chain.map(({ type, name }) => type ?? name ?? '')
  const has = (names: ReadonlySet<string>): boolean => types.some((type) => names.has(type))
  const isMembership = has(MEMBERSHIP)
  const hint =
    hintFor(types) ??
    (chain.some(({ code }) => typeof code === 'string' && UNTRUSTED.test(code)) ? CHECK_TLS : undefined)
  const isUnauthorized = hint !== undefined
  const isRefused = isUnauthorized || has(REFUSED)
  const passes =
    !isRefused &&
    (isMembership || has(PASSING) || chain.some(({ type, retriable }) => type !== undefined && retriable === true))
  return { passes, isMembership, isUnauthorized, error: toError(chain, { doing, isRefused, hint }, thrown) }
}

/** Hint what to check if Kafka refused the credentials or a permission. */
function hintFor(types: readonly string[]): string | undefined {
  return types.map((type) => HINTS.get(type)).find((hint) => hint !== undefined)
}

const CHECK_SASL = 'Check `kafka.sasl`: the user name and the password, or the token.'
const CHECK_TLS = 'Check `kafka.tls`: the certificates of both sides.'

const HINTS: ReadonlyMap<string, string> = new Map([
  ['KafkaJSSASLAuthenticationError', CHECK_SASL],
  ['SASL_AUTHENTICATION_FAILED', CHECK_SASL],
  ['UNSUPPORTED_SASL_MECHANISM', 'The broker does not offer this `kafka.sasl.mechanism`.'],
  ['ILLEGAL_SASL_STATE', CHECK_SASL],
  ['TOPIC_AUTHORIZATION_FAILED', 'The ACLs must allow the sink to describe and to read the topic.'],
  ['GROUP_AUTHORIZATION_FAILED', 'The ACLs must allow the sink to read the consumer group.'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'The ACLs of the cluster do not allow this request.']
])

const MEMBERSHIP: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP'
])

const REFUSED: ReadonlySet<string> = new Set([
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_SESSION_TIMEOUT',
  'INVALID_GROUP_ID'
])

// the broker's certificate cannot be verified, or the broker refuses the client certificate
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY/

const PASSING: ReadonlySet<string> = new Set([
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSLockTimeout',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTopicMetadataNotLoaded'
])

function causesOf(thrown: unknown): KafkajsError[] {
  const chain: KafkajsError[] = []
  let each: unknown = thrown
  while (typeof each === 'object' && each !== null && !chain.includes(each) && chain.length < DEEPEST) {
    chain.push(each)
    const { cause, originalError } = each as KafkajsError
    each = cause ?? originalError
  }
  return chain
}

const DEEPEST = 10

interface Refusal {
  readonly doing: string
  readonly isRefused: boolean
  readonly hint: string | undefined
}

function toError(chain: readonly KafkajsError[], { doing, isRefused, hint }: Refusal, cause: unknown): KeystampError {
  const reason = chain.map(({ message = '' }) => message).find((message) => message !== '') ?? String(cause)
  const said = `Kafka ${isRefused ? 'refused' : 'failed'} ${doing}: ${reason}`
  const sentence = said.endsWith('.') ? said : `${said}.`
  return hint === undefined
    ? new KeystampError('KAFKA_UNAVAILABLE', sentence, { cause })
    : new KeystampError('KAFKA_UNAUTHORIZED', `${sentence} ${hint}`, { cause })
}

/** Whether Kafka refused the credentials. */
export function hasRefusedCredentials(error: unknown): boolean {
  return isKeystampError(error) && error.code === 'KAFKA_UNAUTHORIZED'
}

/**
 * Remembers which requests Kafka refuses because of the credentials. Older connections still answer other requests, so
 * a refusal ends only when the same request is answered, or when the member has joined.
 */
export class RefusedRequests {
  readonly #auth: AuthGrace | undefined
  readonly #refused: Set<string> = new Set()

  constructor(auth: AuthGrace | undefined) {
    this.#auth = auth
  }

  /**
   * Whether retrying can help. If Kafka accepted the credentials before, they are perhaps being rotated, and a retry can
   * succeed.
   */
  passes({ passes, isUnauthorized }: KafkaFailure, request: string): boolean {
    if (!isUnauthorized || this.#auth === undefined) return passes
    this.#refused.add(request)
    return this.#auth.refused('Kafka') || passes
  }

  /** Sends the request. An answer ends its refusal. */
  async ask<Answer>(request: string, send: () => Promise<Answer>): Promise<Answer> {
    const answer = await send()
    if (this.#refused.delete(request) && this.#refused.size === 0) this.#auth?.accepted('Kafka')
    return answer
  }

  joined(): void {
    this.#refused.clear()
    this.#auth?.accepted('Kafka')
  }
}
