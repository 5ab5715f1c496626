import { connectKafka, type KafkaClient, type KafkaHandle, startKafka } from '@keystamp/lab'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/integration/shared-kafka.ts'
import { createSecret } from '../../src/config/secret.ts'
import type { KafkaSettings, SaslSettings } from '../../src/config/settings.ts'
import type { Consumer } from '../../src/consume/consumer-port.ts'
import { createKafkajsConsumer } from '../../src/consume/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { type Listening, listenTo } from './listening.ts'
import { QUIET } from './quiet-log.ts'

const { isMissing, why } = await sharedKafka()

const USER = { username: 'alice', password: createSecret('correct-horse') }

describe.skipIf(isMissing)(`the consumer over kafkajs, by TLS and SASL${why}`, () => {
  let broker: KafkaHandle
  let kafka: KafkaClient
  const started: Consumer[] = []

  beforeAll(async () => {
    const users = { alice: 'correct-horse' }
    broker = (await startKafka({ env: { ...process.env, KEYSTAMP_KAFKA: undefined }, users })) as KafkaHandle
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
  ] as const)('reads as a user by $mechanism', async (sasl) => {
    const member = await join(sasl)
    await member.untilValues(1)

    expect(member.values()).toEqual(['kept from strangers'])
  })

  it('refuses a wrong password by name, without saying it', async () => {
    const wrong = join({ mechanism: 'scram-sha-256', username: 'alice', password: createSecret('wrong-horse') })

    await expect(wrong).rejects.toMatchObject({
      code: 'KAFKA_UNAVAILABLE',
      message: expect.not.stringMatching(/horse/)
    })
  })

  it('refuses a broker whose certificate it cannot verify', async () => {
    await expect(join({ mechanism: 'plain', ...USER }, true)).rejects.toMatchObject({
      code: 'KAFKA_UNAVAILABLE',
      message: expect.stringContaining('certificate')
    })
  })

  async function join(sasl: SaslSettings, tls: KafkaSettings['tls'] = trusted()): Promise<Listening> {
    const settings = kafkaSettings(broker.secure!.brokers, `group-of-${sasl.mechanism}`, ['secured'], { sasl, tls })
    const consumer = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET, getToken: async (scope) => unsignedToken(scope) })
    started.push(consumer)
    return listenTo(consumer)
  }

  function trusted(): KafkaSettings['tls'] {
    return { ca: broker.secure!.ca, cert: undefined, key: undefined, passphrase: undefined, rejectUnauthorized: true }
  }
})

/** What the broker takes for a token as it is installed. */
function unsignedToken(scope: string): string {
  const now = Math.floor(Date.now() / 1000)
  const parts = [{ alg: 'none' }, { sub: 'alice', scope, iat: now, exp: now + 600 }]
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`
}
