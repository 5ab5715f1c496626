import { KeystampError } from '@keystamp/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { RefusedRequests } from '../../src/consume/refused-requests.ts'
import { type AuthGrace, createAuthGrace } from '../../src/lifecycle/auth-grace.ts'

const REFUSED = { passes: false, isMembership: false, isUnauthorized: true, error: new KeystampError('KAFKA_UNAUTHORIZED', 'No.') }
const AWAY = { ...REFUSED, passes: true, isUnauthorized: false }

describe('refused requests', () => {
  let nowMs = 0
  let auth: AuthGrace
  let refused: RefusedRequests

  beforeEach(() => {
    nowMs = 0
    auth = createAuthGrace({ clock: { now: () => nowMs }, graceMs: 1000, reread: async () => undefined })
    refused = new RefusedRequests(auth)
    refused.joined()
  })

  it('end their wait when they are answered, and begin a new grace period when they are refused later', async () => {
    expect(refused.passes(REFUSED, 'a')).toBe(true)
    await refused.ask('a', async () => 1)
    expect(auth.waits).toEqual([])

    nowMs = 5000
    expect(refused.passes(REFUSED, 'a')).toBe(true)
    expect(auth.waits).toEqual([{ service: 'Kafka', sinceMs: 5000 }])
  })

  it('stay refused while another request is answered by a connection from before', async () => {
    refused.passes(REFUSED, 'a')
    nowMs = 1000
    await refused.ask('b', async () => 1)

    expect(refused.passes(REFUSED, 'a')).toBe(false)
  })

  it('end with a join', () => {
    refused.passes(REFUSED, 'a')
    refused.joined()

    expect(auth.waits).toEqual([])
  })

  it('are no wait where Kafka is away', () => {
    expect(refused.passes(AWAY, 'a')).toBe(true)
    expect(auth.waits).toEqual([])
  })

  it('pass never where there is no grace period', () => {
    expect(new RefusedRequests(undefined).passes(REFUSED, 'a')).toBe(false)
  })
})
