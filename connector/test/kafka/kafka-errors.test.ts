import { KeystampError } from '@keystamp/core'
import {
  KafkaJSConnectionError,
  type KafkaJSError,
  KafkaJSNumberOfRetriesExceeded,
  KafkaJSProtocolError
} from 'kafkajs'
import { beforeEach, describe, expect, it } from 'vitest'
import { RefusedRequests, toKafkaFailure } from '../../src/kafka/kafka-errors.ts'
import { type AuthGrace, createAuthGrace } from '../../src/lifecycle/auth-grace.ts'

const DOING = 'to commit offsets'

describe('toKafkaFailure', () => {
  it.for([
    ['a lost connection', new KafkaJSConnectionError('connect ECONNREFUSED', {})],
    ['exhausted retries after a lost connection', wrapped(new KafkaJSConnectionError('connect ECONNREFUSED', {}))],
    ['a retriable answer', protocolError('LEADER_NOT_AVAILABLE', true)],
    ['a wrapped retriable answer', wrapped(protocolError('UNKNOWN_TOPIC_OR_PARTITION', true))],
    ['a rebalance', protocolError('REBALANCE_IN_PROGRESS', false)]
  ] as const)('returns a temporary failure after %s', ([, error]) => {
    expect(toKafkaFailure(error, DOING)).toMatchObject({ passes: true, error: { code: 'KAFKA_UNAVAILABLE' } })
  })

  it.for([
    [
      'a refusal',
      protocolError('GROUP_AUTHORIZATION_FAILED', false),
      'Kafka refused to commit offsets: GROUP_AUTHORIZATION_FAILED. The ACLs must allow the sink to read the consumer group.'
    ],
    [
      'a wrapped refusal',
      wrapped(protocolError('SASL_AUTHENTICATION_FAILED', true)),
      'Kafka refused to commit offsets: SASL_AUTHENTICATION_FAILED. Check `kafka.sasl`: the user name and the password, or the token.'
    ],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
      (code) =>
        [
          `a certificate that is not trusted (${code})`,
          wrapped(new KafkaJSConnectionError('certificate', { code })),
          'Kafka refused to commit offsets: certificate. Check `kafka.tls`: the certificates of both sides.'
        ] as const
    ),
    [
      'an answer that is not retriable',
      protocolError('OFFSET_METADATA_TOO_LARGE', false),
      'Kafka failed to commit offsets: OFFSET_METADATA_TOO_LARGE.'
    ],
    ['an unknown error', new Error('something'), 'Kafka failed to commit offsets: something.'],
    ['a thrown string', 'text', 'Kafka failed to commit offsets: text.']
  ] as const)('returns a final failure after %s', ([, error, sentence]) => {
    const failure = toKafkaFailure(error, DOING)

    expect(failure).toMatchObject({ passes: false, isMembership: false })
    expect(failure.error.message).toBe(sentence)
  })

  it.for([
    ['SASL_AUTHENTICATION_FAILED', 'KAFKA_UNAUTHORIZED', true],
    ['TOPIC_AUTHORIZATION_FAILED', 'KAFKA_UNAUTHORIZED', true],
    ['INVALID_SESSION_TIMEOUT', 'KAFKA_UNAVAILABLE', false]
  ] as const)('distinguishes refused credentials from other refusals: %s is %s', ([type, code, isUnauthorized]) => {
    expect(toKafkaFailure(wrapped(protocolError(type, false)), DOING)).toMatchObject({
      passes: false,
      isUnauthorized,
      error: { code }
    })
  })

  it.for(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID', 'NOT_COORDINATOR_FOR_GROUP'])(
    'recognizes that the group has a new generation: %s',
    (type) => {
      expect(toKafkaFailure(wrapped(protocolError(type, false)), DOING).isMembership).toBe(true)
    }
  )

  it('returns an error of Keystamp unchanged, even if other errors wrap it', () => {
    const ours = new KeystampError('OFFSETS_LOST', 'lost')

    expect(toKafkaFailure(wrapped(ours), DOING)).toMatchObject({ passes: false, error: ours })
  })

  it('keeps the thrown error as the cause', () => {
    const thrown = new Error('something')

    expect(toKafkaFailure(thrown, DOING).error.cause).toBe(thrown)
  })
})

function protocolError(type: string, retriable: boolean): KafkaJSError {
  return Object.assign(
    new KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 1, retriable }) as never),
    { type, retriable }
  )
}

function wrapped(error: Error): KafkaJSError {
  return new KafkaJSNumberOfRetriesExceeded(error, { retryCount: 5, retryTime: 300, cause: error } as never)
}

const REFUSED = {
  passes: false,
  isMembership: false,
  isUnauthorized: true,
  error: new KeystampError('KAFKA_UNAUTHORIZED', 'No.')
}
const AWAY = { ...REFUSED, passes: true, isUnauthorized: false }

describe('requests that Kafka refused', () => {
  let nowMs = 0
  let auth: AuthGrace
  let refused: RefusedRequests

  beforeEach(() => {
    nowMs = 0
    auth = createAuthGrace({ clock: { now: () => nowMs }, graceMs: 1000, reread: async () => undefined })
    refused = new RefusedRequests(auth)
    refused.joined()
  })

  it('end the wait for credentials when one of them is answered, and begin a new grace period when they are refused later', async () => {
    expect(refused.passes(REFUSED, 'a')).toBe(true)
    await refused.ask('a', async () => 1)
    expect(auth.waits).toEqual([])

    nowMs = 5000
    expect(refused.passes(REFUSED, 'a')).toBe(true)
    expect(auth.waits).toEqual([{ service: 'Kafka', sinceMs: 5000 }])
  })

  it('fail after the grace period even if an older connection answers another request', async () => {
    refused.passes(REFUSED, 'a')
    nowMs = 1000
    await refused.ask('b', async () => 1)

    expect(refused.passes(REFUSED, 'a')).toBe(false)
  })

  it('end the wait for credentials when the member joins', () => {
    refused.passes(REFUSED, 'a')
    refused.joined()

    expect(auth.waits).toEqual([])
  })

  it('do not include requests that fail since Kafka is unavailable', () => {
    expect(refused.passes(AWAY, 'a')).toBe(true)
    expect(auth.waits).toEqual([])
  })

  it('are final if there is no grace period', () => {
    expect(new RefusedRequests(undefined).passes(REFUSED, 'a')).toBe(false)
  })
})
