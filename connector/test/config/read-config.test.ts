import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config/read-config.ts'
import { TopicPattern } from '../../src/config/topic-pattern.ts'
import { MINIMAL, readText, sinkOf } from './read-text.ts'

describe('a configuration', () => {
  test('with only the required keys gets the defaults of all other keys', async () => {
    const { sinks, http, log, warnings } = await readText(MINIMAL)

    expect({ http, log, warnings }).toEqual({ http: undefined, log: { level: 'info' }, warnings: [] })
    expect(sinks).toHaveLength(1)
    expect(sinks[0]).toMatchObject({
      name: 'drives',
      kafka: {
        group: 'keystamp-drives',
        clientId: 'keystamp-drives',
        from: 'earliest',
        lostOffsets: 'stop',
        tls: false,
        sessionTimeoutMs: 30_000,
        heartbeatMs: 3000,
        rebalanceTimeoutMs: 60_000,
        maxWaitMs: 100,
        maxBytesPerPartition: 128 * 1024,
        handoverMs: 1000
      },
      key: { format: 'text' },
      value: { format: 'json' },
      cosmos: { share: 'partitions', requestTimeoutMs: 10_000, preferredRegions: [] },
      write: { strategy: 'overwrite', tombstones: 'reject', drop: [], atomic: false, patch: undefined, ttl: undefined },
      rejects: { policy: 'stop', tooLarge: 'stop', tolerance: undefined },
      commit: { everyMs: 5000, everyRecords: 10_000 },
      maxBytes: 8 * 1024 ** 2,
      stallMs: 60_000,
      shutdownMs: 30_000,
      acceptPlanChange: false,
      allowDuplicatesOnReplay: false
    })
  })

  test('is read from the files and the environment of the process by default', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keystamp-config-'))
    writeFileSync(join(folder, 'sink.yaml'), `${MINIMAL}\nplan: plan.json`)
    writeFileSync(join(folder, 'plan.json'), '{ "into": "/pk", "from": [{ "field": "/a" }] }')
    vi.stubEnv('KEYSTAMP_SINK_KAFKA_GROUP', 'from-the-environment')
    try {
      const { sinks } = await readConfig(join(folder, 'sink.yaml'))

      expect(sinks[0]).toMatchObject({ kafka: { group: 'from-the-environment' }, plan: { into: '/pk' } })
      await expect(readConfig(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    } finally {
      vi.unstubAllEnvs()
      rmSync(folder, { recursive: true })
    }
  })

  test('may name a time at which reading begins', async () => {
    expect(await startingAt('2026-11-01T00:00:00Z')).toBe(Date.UTC(2026, 10, 1))
    expect(await startingAt('2026-11-01T02:00:00+02:00')).toBe(Date.UTC(2026, 10, 1))
    // Kafka reads negative times as the earliest and the latest record
    expect(await startingAt('1969-12-31T23:59:59.999Z')).toBe(0)
  })

  test('may be JSON, tabs included', async () => {
    const json = JSON.stringify(parse(MINIMAL), undefined, '\t')

    expect((await readText(json)).sinks[0]).toMatchObject({ name: 'drives', cosmos: { database: 'fleet' } })
  })

  test('may contain several sinks, which share only the values of aliases', async () => {
    const text = `sinks:
  - name: a
    kafka: { brokers: &brokers [localhost:9092], topics: [a] }
    cosmos: &cosmos { endpoint: http://127.0.0.1:8081/, database: fleet, container: a }
  - name: b
    kafka: { brokers: *brokers, topics: [b] }
    cosmos: { <<: *cosmos, container: b }
http: { port: 8080 }
`
    const { sinks, http } = await readText(text, {
      env: { KEYSTAMP_SINK_A_KAFKA_BROKERS: 'a:1', KEYSTAMP_SINK_STALL_TIMEOUT: '90s' }
    })

    expect(sinks.map(({ name, kafka, cosmos, stallMs }) => [name, kafka.brokers, cosmos.container, stallMs])).toEqual([
      ['a', ['a:1'], 'a', 90_000],
      ['b', ['localhost:9092'], 'b', 90_000]
    ])
    expect(http).toEqual({ host: '127.0.0.1', port: 8080 })
  })

  test('is changed by an environment variable at one path only, even if an alias repeats the value', async () => {
    const text = `sinks:
  - { name: a, kafka: { brokers: ['a:1'], topics: [a] }, cosmos: &cosmos { endpoint: 'https://a/', database: d, container: c } }
  - { name: b, kafka: { brokers: ['a:1'], topics: [b] }, cosmos: *cosmos }
`
    const { sinks } = await readText(text, { env: { KEYSTAMP_SINK_A_COSMOS_CONTAINER: 'other' } })

    expect(sinks.map(({ cosmos }) => cosmos.container)).toEqual(['other', 'c'])
  })

  test('may contain Microsoft’s names of strategies and patch operations', async () => {
    const sink = await sinkOf(
      'write: { strategy: ItemPatch, patch: { operation: Set, properties: { n: Increment, old: { operation: Remove, path: /gone } } } }\n' +
        'id: { strategy: KafkaMetadataStrategy, escape: underscore }\n'
    )

    expect(sink.write.strategy).toBe('patch')
    expect(sink.write.patch?.operation).toBe('set')
    expect([...sink.write.patch!.members]).toEqual([
      ['n', { operation: 'increment', path: undefined }],
      ['old', { operation: 'remove', path: '/gone' }]
    ])
    expect(sink.id).toEqual({ strategy: 'metadata', delimiter: '-', escape: 'underscore' })
  })

  test('is converted to settings: topic patterns, containers by topic, times to live, shares of the throughput', async () => {
    const text = MINIMAL.replace('topics: [drives]', 'topicPattern: drives-(?:a|b)').replace(
      'container: drives',
      'container: { drives-a: a, drives-b: b }\n  share: 25%'
    )
    const { sinks } = await readText(`${text}write: { ttl: 30d }\n`)
    const [sink] = sinks

    expect(sink.kafka.topics).toEqual(new TopicPattern('drives-(?:a|b)'))
    expect([...(sink.cosmos.container as ReadonlyMap<string, string>)]).toEqual([
      ['drives-a', 'a'],
      ['drives-b', 'b']
    ])
    expect(sink.cosmos.share).toBe('25%')
    expect(sink.write.ttl).toBe(30 * 86_400)
  })

  test.each([
    ['ttl: never', -1],
    ['ttl: { field: /expiry }', { field: '/expiry' }],
    ['ttl: 1s', 1]
  ])('may contain the time to live %s', async (ttl, expected) => {
    expect((await sinkOf(`write: { ${ttl} }\n`)).write.ttl).toEqual(expected)
  })

  test('can send rejected records to a topic or a file, with a tolerance that has a default and can be switched off', async () => {
    expect((await sinkOf('rejects: { topic: dead }\n')).rejects).toMatchObject({
      policy: 'copy',
      tolerance: { percent: 50, window: 1000 }
    })
    expect((await sinkOf('rejects: { file: dead.ndjson, tolerance: { percent: 100 } }\n')).rejects).toMatchObject({
      policy: 'copy',
      file: resolve('/etc/keystamp/dead.ndjson'),
      tolerance: undefined
    })
  })
})

const env = { P: 'hush', COSMOS_KEY: 'a2V5' }

test.each([
  [
    'plan: { into: /pk, from: [{ field: /date, type: date }] }\n',
    'drives: plan/from: A key that consists only of a time'
  ],
  ['registry: { url: http://localhost:8081 }\n', 'drives: registry is not used'],
  [
    'write: { strategy: patch, patch: { properties: { n: increment } } }\n',
    'drives: write.patch has the operation increment'
  ],
  ['rejects: { policy: skip }\n', 'drives: rejects.policy is skip']
])('%j is accepted, with a warning', async (more, sentence) => {
  const { warnings } = await readText(MINIMAL + more)

  expect(warnings).toEqual([expect.stringContaining(sentence)])
})

test('credentials without TLS cause a warning, unless the service runs on this machine', async () => {
  const sasl = MINIMAL.replace('topics', 'sasl: { mechanism: plain, username: me, password: "${env:P}" }\n  topics')
  const elsewhere = sasl
    .replace('localhost:9092', 'broker:9092')
    .replace('http://127.0.0.1:8081/', 'http://cosmos:8081/')

  expect((await readText(sasl, { env })).warnings).toEqual([])
  expect((await readText(elsewhere, { env })).warnings).toEqual([
    'drives: kafka.tls is false, and kafka.sasl sends a password: anyone who listens on the network can read it.',
    'drives: cosmos.endpoint is http: anyone who listens on the network can read the documents.'
  ])
})

/** `kafka.from` of a sink that begins to read at a time. */
async function startingAt(from: string): Promise<unknown> {
  return (await readText(MINIMAL.replace('  topics:', `  from: ${from}\n  topics:`))).sinks[0].kafka.from
}
