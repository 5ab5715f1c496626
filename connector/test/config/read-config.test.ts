import { inspect } from 'node:util'
import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import { isKeystampError } from '@keystamp/core'
import { ConfigError, type ConfigMistake } from '../../src/config/config-error.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { LEAST, mistakesOf, readText, sinkOf } from './read-text.ts'

describe('a configuration', () => {
  test('of ten lines has every default', async () => {
    const { sinks, http, log, warnings } = await readText(LEAST)

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
        maxBytesPerPartition: 256 * 1024,
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

  test('may be JSON, tabs included', async () => {
    const json = JSON.stringify(parse(LEAST), undefined, '\t')

    expect((await readText(json)).sinks[0]).toMatchObject({ name: 'drives', cosmos: { database: 'fleet' } })
  })

  test('may hold several sinks, which can share parts by aliases without sharing more', async () => {
    const text = `sinks:
  - name: a
    kafka: { brokers: &brokers [localhost:9092], topics: [a] }
    cosmos: &cosmos { endpoint: http://127.0.0.1:8081/, database: fleet, container: a }
  - name: b
    kafka: { brokers: *brokers, topics: [b] }
    cosmos: { <<: *cosmos, container: b }
http: { port: 8080 }
`
    const { sinks, http } = await readText(text, { env: { KEYSTAMP_SINK_A_KAFKA_BROKERS: 'a:1', KEYSTAMP_SINK_STALL: '90s' } })

    expect(sinks.map(({ name, kafka, cosmos, stallMs }) => [name, kafka.brokers, cosmos.container, stallMs])).toEqual([
      ['a', ['a:1'], 'a', 90_000],
      ['b', ['localhost:9092'], 'b', 90_000]
    ])
    expect(http).toEqual({ host: '127.0.0.1', port: 8080 })
  })

  test('is changed by the environment in one place only, where an alias repeats it', async () => {
    const text = `sinks:
  - { name: a, kafka: { brokers: ['a:1'], topics: [a] }, cosmos: &cosmos { endpoint: 'https://a/', database: d, container: c } }
  - { name: b, kafka: { brokers: ['a:1'], topics: [b] }, cosmos: *cosmos }
`
    const { sinks } = await readText(text, { env: { KEYSTAMP_SINK_A_COSMOS_CONTAINER: 'other' } })

    expect(sinks.map(({ cosmos }) => cosmos.container)).toEqual(['other', 'c'])
  })

  test('keeps Microsoft’s names of strategies as our own', async () => {
    const sink = await sinkOf(
      'write: { strategy: ItemPatch, patch: { operation: Set, members: { n: Increment, old: { operation: Remove, path: /gone } } } }\n' +
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

  test('gives containers by topic, patterns, times to live and shares the form that the sink works with', async () => {
    const text = LEAST.replace('topics: [drives]', 'topicPattern: drives-(?:a|b)').replace(
      'container: drives',
      'container: { drives-a: a, drives-b: b }\n  share: 25%'
    )
    const { sinks } = await readText(`${text}write: { ttl: 30d }\n`)
    const [sink] = sinks

    expect(sink.kafka.topics).toEqual(/^(?:drives-(?:a|b))$/)
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
  ])('reads %s', async (ttl, expected) => {
    expect((await sinkOf(`write: { ${ttl} }\n`)).write.ttl).toEqual(expected)
  })

  test('copies rejected records where a topic or a file is named, and then stops when there are too many', async () => {
    expect((await sinkOf('rejects: { topic: dead }\n')).rejects).toMatchObject({ policy: 'copy', tolerance: { percent: 50, window: 1000 } })
    expect((await sinkOf('rejects: { file: dead.ndjson, tolerance: { percent: 100 } }\n')).rejects).toMatchObject({
      policy: 'copy',
      file: '/etc/keystamp/dead.ndjson',
      tolerance: undefined
    })
  })

  test('names every mistake at once, with line, column and the nearest name', async () => {
    const text = `name: drives
kafka:
  broker: [localhost:9092]
  topics: drives
  sessionTimeout: 30000
  sasl: { mechanism: plane }
cosmos:
  endpoint: my-account
  database: fleet
  container: drives
  requestTimeout: 50s
rejects: { policy: copy }
key: yaml
value: { format: avro }
registry:
plan: { into: /key, form: [{ field: /a }] }
strategy: overwrite
`
    expect(await mistakesOf(text)).toEqual([
      '2:1 kafka.brokers is missing: where to begin; the others are found from there',
      '3:3 kafka.broker is not known; did you mean "brokers"?',
      '4:11 kafka.topics must be a list, not a text',
      '5:19 kafka.sessionTimeout must be a duration with its unit, such as 250ms, 30s or 5m, not a number',
      '6:22 kafka.sasl.mechanism must be plain, scram-sha-256, scram-sha-512 or oauthbearer, not "plane"',
      '8:13 cosmos.endpoint must be the address of an account, such as https://my-account.documents.azure.com/',
      '12:12 rejects.policy can be copy only where rejects.topic or rejects.file says where to',
      '13:6 key must be json, json-envelope, text, bytes, registry, or { format: avro, schema: ... }',
      '14:1 value.schema is missing: an Avro schema: as it is, or the path of its file',
      '15:10 registry must be keys with values, not nothing',
      '16:1 plan.from must be a list, not missing',
      '16:27 plan.form is not known; did you mean "from"?',
      '17:1 strategy is not known here; known are name, kafka, key, value, registry, numbers, cosmos, plan, id, write, rejects, commit, acceptPlanChange, allowDuplicatesOnReplay, maxBytes, stall, shutdown, http, log'
    ])
  })

  test.each([
    ['a: [1\nb: 2', '2:1 this line is not indented like those it belongs to'],
    ['a: 1\na: 2', '2:1 this key stands here a second time'],
    ['a:\n\tb: 1', '2:1 indent by blanks, not by tabs'],
    ['a: 1\n---\nb: 2', '2:1 the file holds a second document: several sinks are a list under `sinks`'],
    ['a: *nowhere', '1:1 an alias names an anchor that does not stand before it, or is used too often'],
    ['- a', '1:1 must hold keys with values, such as name: drives'],
    ['just text', '1:1 must hold keys with values, such as name: drives'],
    ['', '1:1 name is missing: names the sink in metrics, logs and the consumer group']
  ])('says of %j that %s', async (text, sentence) => {
    expect((await mistakesOf(text))[0]).toBe(sentence)
  })

  test.each([
    ['database: 2018', '7:13 cosmos.database must be a text, not a number: put it in quotes'],
    ['database: true', '7:13 cosmos.database must be a text, not true or false: put it in quotes'],
    ['database: [a]', '7:13 cosmos.database must be a text, not a list']
  ])('with %j says that %s', async (line, sentence) => {
    expect(await mistakesOf(LEAST.replace('database: fleet', line))).toEqual([sentence])
  })

  test('that cannot be read is said to be so', async () => {
    await expect(readConfig('nowhere.yaml', { env: {}, readFile: findNothing })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'nowhere.yaml has a mistake:\n  nowhere.yaml cannot be read: there is no such file'
    })
  })

  test('whatever it holds, is refused with mistakes that have a place, or read', async () => {
    const keys = [
      'name',
      'kafka',
      'brokers',
      'topics',
      'cosmos',
      'container',
      'plan',
      'sasl',
      'mechanism',
      'sinks',
      'id',
      'strategy',
      'write',
      'ttl',
      '__proto__',
      'x'
    ]
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 5, 'drives', '30s', '${env:X}', '${file:y}', 'template', 'plain', ''),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 5 })
      )
    })).value

    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const mistakes = await mistakesIn(JSON.stringify(value))
        expect(mistakes.every(({ place, variable }) => place !== undefined || variable !== undefined)).toBe(true)
        expect(mistakes.map(({ message }) => message).join('\n')).not.toMatch(/invalid input|undefined|\[object/i)
      }),
      { numRuns: 200 }
    )
  })
})

describe('a secret', () => {
  const CANARY = 'c2VjcmV0IGNhbmFyeQ=='
  const text = LEAST.replace('database', `key: \${env:COSMOS}\n  database`)
    .replace('topics', 'sasl: { mechanism: plain, username: me, password: "${env:KAFKA}" }\n  topics')
    .concat('registry: { url: "http://localhost:8081", username: me, password: "${file:registry}" }\nvalue: registry\n')
    .replace('container: drives', 'container: drives\n  sharedThrough: { redis: "${env:REDIS}" }')
  const world = {
    env: { COSMOS: CANARY, KAFKA: CANARY, REDIS: `redis://:${CANARY}@localhost:6379` },
    files: { '/etc/keystamp/registry': `${CANARY}\n` }
  }

  test('can be had by asking only', async () => {
    const { sinks } = await readText(text, world)
    const { cosmos, kafka, registry } = sinks[0]

    expect(cosmos.key?.reveal()).toBe(CANARY)
    expect(kafka.sasl?.mechanism === 'plain' && kafka.sasl.password.reveal()).toBe(CANARY)
    expect(registry?.password?.reveal()).toBe(CANARY)
    expect(cosmos.sharedThrough).toMatchObject({ redis: world.env.REDIS, name: '127.0.0.1:8081/fleet' })
  })

  test('is never shown: not by JSON, inspection or text', async () => {
    const settings = await readText(text, world)

    for (const shown of [
      JSON.stringify(settings),
      inspect(settings, { depth: 20, showHidden: true }),
      String(settings.sinks[0].cosmos.key)
    ]) {
      expect(shown).not.toContain(CANARY)
    }
  })

  test('is not shown by mistakes, wherever it was put', async () => {
    const places = ['name', 'key', 'value', 'stall', 'maxBytes', 'acceptPlanChange', 'plan', 'id', 'registry', 'write']
    const more = places.map((key) => `${key}: \${env:COSMOS}`).join('\n')
    const wrong = `${more}\n${LEAST.replace('name: drives\n', '')}rejects: { policy: "\${env:COSMOS}", tolerance: { percent: "\${env:COSMOS}" } }\n`

    const mistakes = await mistakesOf(wrong, {
      env: { ...world.env, KEYSTAMP_SINK_COMMIT_EVERY: CANARY, KEYSTAMP_SINK_KAFKA_FROM: CANARY }
    })

    expect(mistakes.length).toBeGreaterThan(9)
    expect(mistakes.join('\n')).not.toContain(CANARY)
  })

  test('is not shown by a file that is no YAML', async () => {
    expect((await mistakesOf(`cosmos:\n  key: "${CANARY}\n  database: @${CANARY}`)).join('\n')).not.toContain(CANARY)
  })

  test('in clear is taken, with a warning', async () => {
    const { warnings } = await readText(LEAST.replace('database', `key: ${CANARY}\n  database`))

    expect(warnings).toEqual(['cosmos.key stands in the file in clear: write ${env:NAME} or ${file:path} instead.'])
    expect((await readText(LEAST.replace('database', `key: "\${env:COSMOS:-${CANARY}}"\n  database`))).warnings).toEqual(warnings)
    expect((await readText(LEAST.replace('database', `key: "\${env:COSMOS}"\n  database`), world)).warnings).toEqual([])
  })

  test('is none where everybody knows it: the key of the emulators, an address of Redis without a password', async () => {
    const key = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='
    const known = LEAST.replace('database', `key: ${key}\n  sharedThrough: { redis: "redis://localhost:6379" }\n  database`)

    expect((await readText(known)).warnings).toEqual([])
    expect((await readText(known.replace('redis://', 'redis://:hush@'))).warnings).toHaveLength(1)
  })
})

async function mistakesIn(text: string): Promise<readonly ConfigMistake[]> {
  try {
    await readText(text)
    return []
  } catch (error) {
    if (isKeystampError(error) && error instanceof ConfigError) return error.mistakes
    throw error
  }
}

function findNothing(): Promise<string> {
  return Promise.reject(new Error('there is no such file'))
}
