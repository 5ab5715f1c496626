import { describe, expect, test } from 'vitest'
import { MINIMAL, mistakesOf, readText, sinkOf } from './read-text.ts'

describe('an environment variable', () => {
  test('overrides the matching key of the file, at every depth', async () => {
    const sink = await sinkOf('stallTimeout: 50s\nmaxInFlightBytes: 64MiB\n', {
      env: {
        KEYSTAMP_SINK_KAFKA_BROKERS: 'a:9092, b:9092',
        KEYSTAMP_SINK_KAFKA_SESSION_TIMEOUT: '20s',
        KEYSTAMP_SINK_COMMIT_EVERY_RECORDS: '7',
        KEYSTAMP_SINK_ACCEPT_PLAN_CHANGE: 'true',
        KEYSTAMP_SINK_STALL_TIMEOUT: '40s',
        KEYSTAMP_SINK_COSMOS_SHARE: '400',
        KEYSTAMP_SINK_PLAN: '{ into: /pk, from: [{ field: /a }] }',
        KEYSTAMP_SINK_COSMOS_CONTAINER: '{ drives: there }',
        KEYSTAMP_SINK_KAFKA_TLS: 'true'
      }
    })

    expect(sink).toMatchObject({
      kafka: { brokers: ['a:9092', 'b:9092'], sessionTimeoutMs: 20_000, tls: true },
      commit: { everyRecords: 7 },
      acceptPlanChange: true,
      stallMs: 40_000,
      maxBytes: 64 * 1024 ** 2,
      cosmos: { share: 400, container: new Map([['drives', 'there']]) },
      plan: { into: '/pk' }
    })
  })

  test('does not override the file if it is empty', async () => {
    expect((await sinkOf('stallTimeout: 50s\n', { env: { KEYSTAMP_SINK_STALL_TIMEOUT: '' } })).stallMs).toBe(50_000)
  })

  test('can set each required key, so that the file can be empty', async () => {
    const env = {
      KEYSTAMP_SINK_NAME: 'drives',
      KEYSTAMP_SINK_KAFKA_BROKERS: 'a:9092',
      KEYSTAMP_SINK_KAFKA_TOPICS: 'drives',
      KEYSTAMP_SINK_COSMOS_ENDPOINT: 'http://127.0.0.1:8081/',
      KEYSTAMP_SINK_COSMOS_DATABASE: 'fleet',
      KEYSTAMP_SINK_COSMOS_CONTAINER: 'drives'
    }

    expect((await readText('', { env })).sinks).toHaveLength(1)
  })

  test('that sets a secret stays a string if it consists of digits', async () => {
    const env = { KEYSTAMP_SINK_REGISTRY_TOKEN: '12345' }
    const sink = await sinkOf('value: registry\nregistry: { url: "http://localhost:8081" }\n', { env })

    expect(sink.registry?.token?.reveal()).toBe('12345')
  })

  test('with an unknown name or an invalid value is refused with a message that begins with its name', async () => {
    const env = {
      KEYSTAMP_SINK_KAFKA_BROKER: 'a:1',
      KEYSTAMP_SINK_STALL_TIMEOUT: 'soon',
      KEYSTAMP_SINK_MAX_IN_FLIGHT_BYTES: '400KiB'
    }

    expect(await mistakesOf(MINIMAL, { env })).toEqual([
      'KEYSTAMP_SINK_KAFKA_BROKER is not known; did you mean KEYSTAMP_SINK_KAFKA_BROKERS?',
      'KEYSTAMP_SINK_STALL_TIMEOUT stallTimeout must be a duration with its unit, such as 250ms, 30s or 5m',
      'KEYSTAMP_SINK_MAX_IN_FLIGHT_BYTES maxInFlightBytes must be at least four times kafka.maxBytesPerPartition'
    ])
  })

  test('for a key of `kafka.tls` is refused if the file sets `kafka.tls` to a boolean', async () => {
    const env = { KEYSTAMP_SINK_KAFKA_TLS_REJECT_UNAUTHORIZED: 'false' }

    expect(await mistakesOf(MINIMAL.replace('topics', 'tls: true\n  topics'), { env })).toEqual([
      'KEYSTAMP_SINK_KAFKA_TLS_REJECT_UNAUTHORIZED kafka.tls.rejectUnauthorized cannot be set: kafka.tls has no keys'
    ])
    expect((await sinkOf('', { env })).kafka.tls).toMatchObject({ rejectUnauthorized: false })
  })
})
