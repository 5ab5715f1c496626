import type { ConnectConfig } from './connect-config.ts'
import { toReference, toSecretReference, type Translating } from './draft.ts'

/** Translates `consumer.override.*`: settings of the worker's consumer. */
export function translateConsumer(config: ConnectConfig, translating: Translating): void {
  const { draft, change, needless, refuse } = translating
  const options = config.takeAll(PREFIX)
  const take = (name: string): string | undefined => {
    const value = options.get(name)
    ;(options as Map<string, string>).delete(name)
    return value
  }
  const { kafka } = draft
  kafka.group = take('group.id') ?? `connect-${draft.name}`
  const brokers = listOf(take('bootstrap.servers'))
  if (brokers.length === 0)
    change(
      '',
      'The brokers are in the configuration of the worker, as bootstrap.servers: put them into the variable KAFKA_BROKERS'
    )
  kafka.brokers =
    brokers.length === 0
      ? ['${env:KAFKA_BROKERS}']
      : brokers.map((broker) => toReference(`${PREFIX}bootstrap.servers`, broker, 'KAFKA_BROKERS', translating))
  translateStart(take('auto.offset.reset'))
  for (const [name, key] of DURATIONS) {
    const ms = take(name)
    if (ms !== undefined) kafka[key] = `${ms}ms`
  }
  const fetchBytes = take('max.partition.fetch.bytes')
  if (fetchBytes !== undefined) kafka['maxBytesPerPartition'] = `${fetchBytes}B`
  const clientId = take('client.id')
  if (clientId !== undefined) kafka['clientId'] = clientId
  if (take('isolation.level') === 'read_uncommitted')
    change(`${PREFIX}isolation.level`, 'is read_committed here: records of aborted transactions are not stored')
  translateSecurity(take, translating)
  for (const name of options.keys()) {
    if (name.startsWith('ssl.'))
      refuse(`${PREFIX}${name}`, 'is a key store of Java: write its certificates as PEM under kafka.tls')
    else needless(`${PREFIX}${name}`, NEEDLESS[name] ?? 'has no effect here: the sink sets what it needs')
  }

  function translateStart(reset: string | undefined): void {
    if (reset === 'latest') kafka['from'] = 'latest'
    if (reset !== undefined)
      change(
        `${PREFIX}auto.offset.reset`,
        'only sets where a new group begins; kafka.lostOffsets sets what happens when offsets are lost'
      )
  }
}

const PREFIX = 'consumer.override.'

const DURATIONS: readonly (readonly [name: string, key: string])[] = [
  ['session.timeout.ms', 'sessionTimeout'],
  ['heartbeat.interval.ms', 'heartbeatInterval'],
  ['rebalance.timeout.ms', 'rebalanceTimeout'],
  ['metadata.max.age.ms', 'metadataMaxAge'],
  ['request.timeout.ms', 'requestTimeout'],
  ['fetch.max.wait.ms', 'fetchMaxWait']
]

const NEEDLESS: Readonly<Record<string, string>> = {
  'max.poll.records': 'is not needed: the sink takes records as they arrive, up to maxInFlightBytes',
  'max.poll.interval.ms': 'is not needed: the sink stays in its group even if the container is slow',
  'partition.assignment.strategy': 'is round robin here'
}

function translateSecurity(take: (name: string) => string | undefined, translating: Translating): void {
  const { draft, refuse } = translating
  const protocol = take('security.protocol')
  const mechanism = take('sasl.mechanism')?.toLowerCase()
  const jaas = take('sasl.jaas.config')
  take('sasl.login.callback.handler.class')
  if (protocol?.endsWith('SSL') === true) draft.kafka['tls'] = true
  if (mechanism === undefined && jaas === undefined) return
  if (mechanism === 'oauthbearer') {
    draft.kafka['sasl'] = { mechanism, scope: '${env:KAFKA_SCOPE}' }
    translating.change(
      `${PREFIX}sasl.jaas.config`,
      'requests tokens: the sink uses tokens of Entra, for the scope in the variable KAFKA_SCOPE'
    )
    return
  }
  if (mechanism === undefined || !['plain', 'scram-sha-256', 'scram-sha-512'].includes(mechanism)) {
    return refuse(
      `${PREFIX}sasl.mechanism`,
      `is ${mechanism ?? 'missing'}: the sink supports plain, scram-sha-256, scram-sha-512 and oauthbearer, under kafka.sasl`
    )
  }
  const username = /username\s*=\s*["']([^"']*)["']/.exec(jaas ?? '')?.[1] ?? '${env:KAFKA_USER}'
  const password = /password\s*=\s*["']([^"']*)["']/.exec(jaas ?? '')?.[1] ?? ''
  draft.kafka['sasl'] = {
    mechanism,
    username: toReference(`${PREFIX}sasl.jaas.config`, username, 'KAFKA_USER', translating),
    password: toSecretReference(`${PREFIX}sasl.jaas.config`, password, 'KAFKA_PASSWORD', translating)
  }
}

/** Renames a topic as the transforms of the worker did before the connector saw it. */
export type Rename = (topic: string) => string

/**
 * Translates the topics and the container of each. Both connectors write the map as `topic#container,topic#container`.
 */
export function translateTopics(config: ConnectConfig, mapKey: string, rename: Rename, translating: Translating): void {
  const { draft, refuse, change } = translating
  const topics = listOf(config.take('topics'))
  const pattern = config.take('topics.regex')
  const map = parseMap(config.take(mapKey))
  if (pattern !== undefined) {
    draft.kafka.topicPattern = pattern
    change('topics.regex', 'has the syntax of RE2 here: check that it means the same')
    draft.cosmos['container'] = containerOf([...new Set(map.values())], map)
    if (map.size === 0) refuse(mapKey, 'is missing: name the containers of the topics under cosmos.container')
    return
  }
  draft.kafka.topics = topics
  if (topics.length === 0) refuse('topics', 'is missing: name the topics under kafka.topics')
  const containers = new Map<string, string>()
  for (const topic of topics) {
    const container = map.get(rename(topic))
    if (container === undefined)
      refuse(mapKey, `names no container for the topic ${topic}: add it under cosmos.container`)
    else containers.set(topic, container)
  }
  const used = new Set(topics.map(rename))
  const unused = [...map.keys()].filter((topic) => !used.has(topic))
  if (unused.length > 0)
    change(mapKey, `also names ${unused.join(', ')}, which the key "topics" does not name: left out`)
  draft.cosmos['container'] = containerOf([...new Set(containers.values())], containers)
}

function containerOf(names: readonly string[], map: ReadonlyMap<string, string>): unknown {
  return names.length === 1 ? names[0] : Object.fromEntries(map)
}

function parseMap(text: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    listOf(text).map((entry) => {
      const [topic = '', container = ''] = entry.split('#').map((part) => part.trim())
      return [topic, container]
    })
  )
}

/** Splits a comma-separated list of Kafka. */
export function listOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
