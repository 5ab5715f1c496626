import { expect, test } from 'vitest'
import { MINIMAL, readText } from './read-text.ts'

const EVENT_HUBS = MINIMAL.replace('localhost:9092', 'my-namespace.servicebus.windows.net:9093')
const env = { HUB: 'Endpoint=sb://my-namespace' }

test('a configuration with the host name of Event Hubs gets the defaults for Event Hubs', async () => {
  const { sinks } = await readText(
    EVENT_HUBS.replace('topics', 'sasl: { mechanism: plain, password: "${env:HUB}" }\n  topics'),
    { env }
  )

  expect(sinks[0].kafka).toMatchObject({
    tls: true,
    sasl: { mechanism: 'plain', username: '$ConnectionString' },
    requestTimeoutMs: 60_000,
    metadataMaxAgeMs: 180_000
  })
})

test('a configuration can override the defaults for Event Hubs', async () => {
  const { sinks } = await readText(
    EVENT_HUBS.replace('topics', 'sasl: { mechanism: oauthbearer }\n  requestTimeout: 20s\n  topics')
  )

  expect(sinks[0].kafka).toMatchObject({
    sasl: { mechanism: 'oauthbearer', scope: 'https://my-namespace.servicebus.windows.net/.default' },
    requestTimeoutMs: 20_000
  })
})
