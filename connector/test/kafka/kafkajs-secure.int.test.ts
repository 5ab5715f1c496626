import { connectKafka, type KafkaClient, type KafkaHandle, startKafka } from '@keystamp/testkit'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { createSecret } from '../../src/config/secrets.ts'
import type { KafkaSettings, SaslSettings } from '../../src/config/settings.ts'
import type { Consumer } from '../../src/kafka/consumer-port.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { type AuthGrace, createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { type Listening, listenTo } from './listening.ts'
import { QUIET } from './quiet-log.ts'

const { isMissing, why } = await sharedKafka()

const WAIT = { timeout: 40_000, interval: 50 }
const USER = { username: 'alice', password: createSecret('correct-horse') }

describe.skipIf(isMissing)(`the consumer over kafkajs, with TLS and SASL${why}`, () => {
  let broker: KafkaHandle
  let kafka: KafkaClient
  const started: Consumer[] = []
  let groups = 0
  /** Effect of reading secret files again. */
  const rereads: (() => void)[] = []

  beforeAll(async () => {
    const users = { alice: 'correct-horse' }
    broker = (await startKafka({
      env: { ...process.env, KEYSTAMP_KAFKA: undefined },
      users,
      properties: { 'connections.max.idle.ms': '2000' }
    })) as KafkaHandle
    kafka = await connectKafka(broker.brokers)
    await kafka.createTopic('secured')
    await kafka.produce('secured', [{ value: 'kept from strangers' }])
  })

  afterEach(async () => {
    await Promise.all(started.splice(0).map((consumer) => consumer.stop()))
  })

  afterAll(async () => {
    await kafka?.close()
    await broker?.stop()
  })

  it.for([
    { mechanism: 'plain', ...USER },
    { mechanism: 'scram-sha-256', ...USER },
    { mechanism: 'scram-sha-512', ...USER },
    { mechanism: 'oauthbearer', scope: 'https://example.servicebus.windows.net/.default' }
  ] as const)('reads as a user that authenticates by $mechanism', async (sasl) => {
    const member = await join(sasl)
    await member.untilValues(1)

    expect(member.values()).toEqual(['kept from strangers'])
  })

  it('refuses a wrong password, without printing it', async () => {
    const wrong = join({ mechanism: 'scram-sha-256', username: 'alice', password: createSecret('wrong-horse') })

    await expect(wrong).rejects.toMatchObject({
      code: 'KAFKA_UNAUTHORIZED',
      message: expect.not.stringMatching(/horse/)
    })
  })

  it('refuses a broker whose certificate it cannot verify', async () => {
    await expect(join({ mechanism: 'plain', ...USER }, true)).rejects.toMatchObject({
      code: 'KAFKA_UNAUTHORIZED',
      message: expect.stringContaining('certificate')
    })
  })

  it('waits for a rotated password if the former password was accepted', { timeout: 60_000 }, async () => {
    const password = createSecret('correct-horse')
    const auth = createAuthGrace({
      clock: MACHINE_CLOCK,
      graceMs: 60_000,
      reread: async () => void setTimeout(() => password.replace('correct-horse'), 500)
    })
    const member = await join({ mechanism: 'plain', username: 'alice', password }, trusted(), auth)
    await member.untilValues(1)
    password.replace('old-horse')
    await broker.kill()
    await broker.restart()
    await expect.poll(() => auth.waits.length > 0, WAIT).toBe(true)
    expect(auth.waits).toMatchObject([{ service: 'Kafka' }])

    await expect.poll(() => auth.waits.length === 0, WAIT).toBe(true)
    expect(member.failures).toEqual([])
  })

  it('fails when the grace period for refused credentials is over', { timeout: 60_000 }, async () => {
    const password = createSecret('correct-horse')
    const auth = createAuthGrace({ clock: MACHINE_CLOCK, graceMs: 1000, reread: async () => undefined })
    const member = await join({ mechanism: 'plain', username: 'alice', password }, trusted(), auth)
    await member.untilValues(1)
    password.replace('old-horse')
    await broker.kill()
    await broker.restart()

    await expect.poll(() => member.failures.length > 0, WAIT).toBe(true)
    expect(member.failures).toMatchObject([{ code: 'KAFKA_UNAUTHORIZED' }])
  })

  describe('with an idle connection that the broker has closed', () => {
    // the topics are listed over this connection: a short interval would keep the connection busy
    const rareLists = { metadataMaxAgeMs: 600_000 }

    it('uses the rotated password of the secret file after a rebalance', { timeout: 60_000 }, async () => {
      const { member, group, password, auth } = await startRotation('rotated', rareLists)
      await broker.setPassword('alice', 'new-horse')
      const read = vi.fn<() => void>(() => password.replace('new-horse'))
      rereads.push(read)
      await pass(4000)

      await joinPlain(group, 'rotated')
      await expect.poll(() => member.assignments.length, WAIT).toBe(2)
      await kafka.produce('rotated', numbered(10))

      await expect.poll(() => member.values(), WAIT).toContain('10')
      expect(read).toHaveBeenCalled()
      await expect.poll(() => auth.waits, WAIT).toEqual([])
      expect(member.failures).toEqual([])
    })

    it(
      'stops waiting for credentials when Kafka accepts a request again, without another join',
      { timeout: 60_000 },
      async () => {
        const { member, group, auth } = await startRotation('refused', rareLists)
        await broker.setPassword('alice', 'new-horse')
        await pass(4000)
        await joinPlain(group, 'refused')
        await expect.poll(() => auth.waits, WAIT).toMatchObject([{ service: 'Kafka' }])

        await broker.setPassword('alice', 'correct-horse')
        await expect.poll(() => auth.waits, WAIT).toEqual([])

        expect(member.assignments).toHaveLength(2)
        expect(member.failures).toEqual([])
      }
    )
  })

  async function startRotation(topic: string, others: Partial<KafkaSettings>) {
    await broker.setPassword('alice', 'correct-horse')
    await kafka.createTopic(topic, { partitions: 2 })
    await kafka.produce(topic, numbered(1))
    const password = createSecret('correct-horse')
    rereads.length = 0
    const auth = createAuthGrace({
      clock: MACHINE_CLOCK,
      graceMs: 60_000,
      reread: async () => {
        for (const read of rereads) read()
      }
    })
    const sasl = { mechanism: 'scram-sha-512', username: 'alice', password } as const
    const group = `group-${groups}`
    const member = await join(sasl, trusted(), auth, { topics: [topic], ...others })
    await member.untilValues(2)
    return { member, group, password, auth }
  }

  /** Joins another member of a group, through the listener of the broker that needs no password. */
  async function joinPlain(group: string, topic: string): Promise<void> {
    const consumer = createKafkajsConsumer({
      settings: kafkaSettings(broker.brokers, group, [topic]),
      clock: MACHINE_CLOCK,
      log: QUIET
    })
    started.push(consumer)
    await listenTo(consumer)
  }

  async function join(
    sasl: SaslSettings,
    tls: KafkaSettings['tls'] = trusted(),
    auth?: AuthGrace,
    others: Partial<KafkaSettings> = {}
  ): Promise<Listening> {
    const settings = kafkaSettings(broker.secure!.brokers, `group-${groups++}`, ['secured'], { sasl, tls, ...others })
    const consumer = createKafkajsConsumer({
      settings,
      clock: MACHINE_CLOCK,
      log: QUIET,
      getToken: async (scope) => unsignedToken(scope),
      auth
    })
    started.push(consumer)
    return listenTo(consumer)
  }

  function trusted(): KafkaSettings['tls'] {
    return { ca: broker.secure!.ca, cert: undefined, key: undefined, passphrase: undefined, rejectUnauthorized: true }
  }
})

function numbered(n: number) {
  return [0, 1].map((partition) => ({ partition, value: `${n}` }))
}

/** An unsigned token, which the broker accepts with its default settings. */
function unsignedToken(scope: string): string {
  const now = Math.floor(Date.now() / 1000)
  const parts = [{ alg: 'none' }, { sub: 'alice', scope, iat: now, exp: now + 600 }]
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
}
