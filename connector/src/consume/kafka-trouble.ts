import { isKeystampError, KeystampError } from '@keystamp/core'

/** Facts that errors of kafkajs carry, at any depth of their causes. */
interface KafkajsError {
  readonly name?: string
  readonly type?: string
  /** Of the connection, as Node names it. */
  readonly code?: string | number
  readonly message?: string
  readonly cause?: unknown
  readonly originalError?: unknown
  readonly retriable?: boolean
}

/** What went wrong with Kafka, and whether waiting can cure it. */
export interface KafkaTrouble {
  readonly passes: boolean
  /** The group has moved on without this member, or is about to. */
  readonly isMembership: boolean
  readonly error: KeystampError
}

/** Classifies whatever kafkajs threw. What is not known does not pass. */
export function toKafkaTrouble(thrown: unknown, doing: string): KafkaTrouble {
  const chain = causesOf(thrown)
  const ours = chain.find(isKeystampError)
  if (ours !== undefined) return { passes: false, isMembership: false, error: ours }
  const types = chain.map(({ type, name }) => type ?? name ?? '')
  const has = (names: ReadonlySet<string>): boolean => types.some((type) => names.has(type))
  const isMembership = has(MEMBERSHIP)
  const isRefused = has(REFUSED) || chain.some(({ code }) => typeof code === 'string' && UNTRUSTED.test(code))
  const passes =
    !isRefused && (isMembership || has(PASSING) || chain.some(({ type, retriable }) => type !== undefined && retriable === true))
  return { passes, isMembership, error: toError(chain, doing, isRefused, thrown) }
}

const MEMBERSHIP: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'NOT_COORDINATOR_FOR_GROUP'
])

const REFUSED: ReadonlySet<string> = new Set([
  'KafkaJSSASLAuthenticationError',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'INCONSISTENT_GROUP_PROTOCOL',
  'INVALID_SESSION_TIMEOUT',
  'INVALID_GROUP_ID'
])

// a certificate that cannot be verified, and ours where it is not taken
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

function toError(chain: readonly KafkajsError[], doing: string, isRefused: boolean, cause: unknown): KeystampError {
  const reason = chain.map(({ message = '' }) => message).find((message) => message !== '') ?? String(cause)
  const sentence = isRefused ? `Kafka refused ${doing}: ${reason}` : `Kafka failed ${doing}: ${reason}`
  return new KeystampError('KAFKA_UNAVAILABLE', sentence.endsWith('.') ? sentence : `${sentence}.`, { cause })
}
