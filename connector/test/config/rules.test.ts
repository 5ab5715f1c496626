import { describe, expect, test } from 'vitest'
import { RULES } from '../../src/config/rules.ts'
import { MINIMAL, mistakesOf } from './read-text.ts'

const EVENT_HUBS = MINIMAL.replace('localhost:9092', 'my-namespace.servicebus.windows.net:9093')
const EVENT_HUBS_SASL = 'sasl: { mechanism: plain, password: "${env:HUB}" }'
const env = { HUB: 'Endpoint=sb://my-namespace', A: 'a', COSMOS: 'AccountEndpoint=https://a/;AccountKey=b2xk;' }

const PLAN = 'plan: { into: /pk, from: [{ field: /a }] }\n'
const MOVE = `move: { name: by-vin, to: { container: drives-by-vin, plan: { into: /vin, from: [{ field: /vin }] } } }\n`

/** Configurations that break exactly one rule, with the key that the rule names. */
const BREAKERS: readonly (readonly [at: string, config: string])[] = [
  ['kafka.topics', MINIMAL.replace('  topics: [drives]\n', '')],
  ['kafka.topics', MINIMAL.replace('topics: [drives]', 'topics: [drives]\n  topicPattern: drives')],
  ['kafka.heartbeatInterval', kafka('heartbeatInterval: 11s')],
  ['kafka.fetchMaxWait', kafka('fetchMaxWait: 3s')],
  ['cosmos.requestTimeout', `${MINIMAL}  requestTimeout: 30s\n`],
  ['cosmos.connectionString', `${MINIMAL}  connectionString: "\${env:COSMOS}"\n`],
  [
    'cosmos.connectionString',
    `${MINIMAL.replace('endpoint: http://127.0.0.1:8081/', 'connectionString: "${env:COSMOS}"')}  key: "\${env:A}"\n`
  ],
  ['cosmos.requestTimeout', kafka('rebalanceTimeout: 10s')],
  ['kafka.sessionTimeout', eventHubs(`${EVENT_HUBS_SASL}\n  sessionTimeout: 20s`)],
  ['kafka.metadataMaxAge', eventHubs(`${EVENT_HUBS_SASL}\n  metadataMaxAge: 240s`)],
  ['kafka.tls', eventHubs(`${EVENT_HUBS_SASL}\n  tls: false`)],
  ['kafka.tls.key', kafka('tls: { key: "${env:A}" }')],
  ['kafka.sasl', EVENT_HUBS],
  ['kafka.sasl.mechanism', eventHubs(`sasl: { mechanism: scram-sha-256, username: me, password: "\${env:HUB}" }`)],
  ['maxInFlightBytes', `${MINIMAL}maxInFlightBytes: 400KiB\n`],
  ['stallTimeout', `${MINIMAL}stallTimeout: 10s\n`],
  ['registry', `${MINIMAL}value: registry\n`],
  ['registry', `${MINIMAL}value: { format: debezium, encoding: registry }\n`],
  ['registry.password', `${MINIMAL}value: registry\nregistry: { url: http://localhost:8081, username: me }\n`],
  [
    'registry.password',
    `${MINIMAL}value: registry\nregistry: { url: http://localhost:8081, username: me, password: "\${env:A}", token: "\${env:A}" }\n`
  ],
  ['cosmos.share', `${MINIMAL}  share: partitions\n  sharedThrough: { redis: 'redis://localhost' }\n`],
  ['cosmos.container', MINIMAL.replace('container: drives', 'container: { other: drives }')],
  ['cosmos.container', MINIMAL.replace('container: drives', 'container: { drives: a, other: b }')],
  ['cosmos.container', MINIMAL.replace('container: drives', 'container: "${partition}"')],
  ['cosmos.container', MINIMAL.replace('container: drives', 'container: "${1}"')],
  [
    'cosmos.container',
    MINIMAL.replace('topics: [drives]', 'topicPattern: d(.*)').replace('container: drives', 'container: "${2}"')
  ],
  [
    'cosmos.container',
    MINIMAL.replace('topics: [drives]', 'topicPattern: d.*').replace('container: drives', 'container: { other: b }')
  ],
  [
    'id',
    `${MINIMAL}id: { strategy: fullKey }\nplan: { into: /pk, from: [{ field: /a }], id: { from: [{ field: /b }] } }\n`
  ],
  ['plan', `${MINIMAL}plan: { into: /pk, from: [{ field: /a }], suffix: { by: random, count: 4 } }\n`],
  ['write.tombstones', `${MINIMAL}write: { tombstones: delete }\n`],
  ['write.patch', `${MINIMAL}write: { patch: { operation: set } }\n`],
  ['write.ttl', `${MINIMAL}write: { strategy: patch, ttl: 1d }\n`],
  ['write.dropProperties', `${MINIMAL}write: { dropProperties: [id] }\n`],
  [
    'write.dropProperties',
    `${MINIMAL}write: { dropProperties: [meta] }\nplan: { into: /meta/pk, from: [{ field: /a }] }\n`
  ],
  ['write.metadata.into', `${MINIMAL}write: { metadata: { into: id } }\n`],
  ['write.rehome', `${MINIMAL}write: { rehome: { before: /b }, strategy: append }\n${PLAN}`],
  ['write.rehome', `${MINIMAL}write: { rehome: { before: /b }, strategy: delete }\n${PLAN}`],
  ['write.rehome', `${MINIMAL}write: { rehome: { before: /b }, atomic: true }\n${PLAN}`],
  ['write.rehome', `${MINIMAL}write: { rehome: { before: /b } }\n`],
  ['write.rehome', `${MINIMAL}write: { rehome: { before: /b } }\n${PLAN}id: { strategy: metadata }\n`],
  ['write.operation', `${MINIMAL}value: debezium\nwrite: { operation: { field: /op, values: { D: delete } } }\n`],
  ['write.rehome.before', `${MINIMAL}write: { rehome: { before: envelope } }\n${PLAN}`],
  ['write.rehome.before', `${MINIMAL}value: debezium\nwrite: { rehome: { before: /b } }\n${PLAN}`],
  ['write.newerBy', `${MINIMAL}write: { newerBy: { order: /v }, strategy: append }\n`],
  ['write.patch.condition', `${MINIMAL}write: { newerBy: { order: /v }, strategy: patch, patch: { condition: c } }\n`],
  [
    'write.newerBy.order',
    `${MINIMAL}write: { newerBy: { order: timestamp }, strategy: patch, patch: { properties: { n: increment } } }\n`
  ],
  ['write.newerBy', `${MINIMAL}${MOVE}write: { newerBy: { order: /v } }\n`],
  [
    'write.newerBy.order',
    `${MINIMAL}write: { newerBy: { order: /v }, tombstones: delete }\nid: { strategy: fullKey }\nplan: { into: /pk, from: [{ kafka: key }] }\n`
  ],
  [
    'shape',
    `${MINIMAL}shape: [{ key: [/a] }]\nwrite: { tombstones: delete }\nid: { strategy: fullKey }\nplan: { into: /pk, from: [{ kafka: key }] }\n`
  ],
  ['shape', `${MINIMAL}shape: [{ exclude: [/a] }]\nwrite: { rehome: { before: /b } }\n${PLAN}`],
  ['shape', `${MINIMAL}shape: [{ key: [/a] }]\nvalue: debezium\nwrite: { rehome: { before: envelope } }\n${PLAN}`],
  [
    'shape',
    `${MINIMAL}shape: [{ insert: { /a: { kafka: offset } } }]\nvalue: debezium\nwrite: { rehome: { before: envelope } }\n${PLAN}`
  ],
  ['move', `${MINIMAL.replace('container: drives', 'container: "${topic}"')}${MOVE}`],
  ['move', `${MINIMAL}${MOVE}acceptPlanChange: true\n`],
  ['move.to.container', `${MINIMAL}${MOVE.replace('drives-by-vin,', 'drives,')}`],
  [
    'move.to.plan',
    `${MINIMAL}${MOVE}id: { strategy: fullKey }\n`.replace('/vin }]', '/vin }], id: { from: [{ field: /b }] }')
  ],
  ['rejects.policy', `${MINIMAL}rejects: { policy: copy }\n`],
  ['rejects.topic', `${MINIMAL}rejects: { policy: skip, topic: dead }\n`],
  ['rejects.file', `${MINIMAL}rejects: { policy: stop, file: dead }\n`],
  ['rejects.topic', `${MINIMAL}rejects: { topic: drives }\n`],
  ['rejects.topic', `${MINIMAL.replace('topics: [drives]', 'topicPattern: d.*')}rejects: { topic: dead }\n`]
]

describe('the rules between keys', () => {
  test.each(BREAKERS)('report one mistake, which names %s (case %#)', async (at, config) => {
    const mistakes = await mistakesOf(config, { env })

    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(new RegExp(`^\\d+:\\d+ ${at.replaceAll('.', '\\.')} (must|can|cannot|names) `))
  })

  test('are all covered by the cases of this file', () => {
    expect(new Set(BREAKERS.map(([at]) => at))).toEqual(new Set(RULES.map(({ at }) => at)))
  })

  test('report nothing for a valid configuration', async () => {
    const right = [
      MINIMAL,
      eventHubs(EVENT_HUBS_SASL),
      eventHubs('sasl: { mechanism: oauthbearer }'),
      `${MINIMAL}write: { tombstones: delete }\nid: { strategy: fullKey }\n`,
      `${MINIMAL}allowDuplicatesOnReplay: true\nplan: { into: /pk, from: [{ field: /a }], suffix: { by: random, count: 4 } }\n`,
      MINIMAL.replace('container: drives', 'container: "all-${topic}"'),
      MINIMAL.replace('topics: [drives]', 'topicPattern: d(?<kind>.*)').replace(
        'container: drives',
        'container: "${kind}-${1}"'
      )
    ]

    expect(await Promise.all(right.map((config) => mistakesOf(config, { env })))).toEqual(right.map(() => []))
  })

  test('are not checked for a key that is already invalid', async () => {
    expect(await mistakesOf(`${MINIMAL}  requestTimeout: soon\nstallTimeout: 5s\n`)).toEqual([
      '9:19 cosmos.requestTimeout must be a duration with its unit, such as 250ms, 30s or 5m'
    ])
  })

  test('also apply between the sinks of one file', async () => {
    expect(
      await mistakesOf(
        `sinks:\n${sinkText('a', '')}${sinkText('a', ', group: other')}${sinkText('b', ', group: other')}`
      )
    ).toEqual([
      '5:5 sinks[1].name is taken: another sink is called a too',
      '9:45 sinks[2].kafka.group must differ from the group of a: in one group, two sinks take each other’s partitions'
    ])
  })
})

function kafka(line: string): string {
  return MINIMAL.replace('topics: [drives]', `topics: [drives]\n  ${line}`)
}

function eventHubs(line: string): string {
  return EVENT_HUBS.replace('topics: [drives]', `topics: [drives]\n  ${line}`)
}

function sinkText(name: string, more: string): string {
  return `  - name: ${name}\n    kafka: { brokers: ["a:1"], topics: [t]${more} }\n    cosmos: { endpoint: "https://a/", database: d, container: c }\n`
}
