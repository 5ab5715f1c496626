import type { ConnectConfig } from './connect-config.ts'
import type { Translating } from './draft.ts'
import { toReference, toSecretReference } from './references.ts'
import { listOf } from './topics.ts'

/** What the worker's consumer was told otherwise: `consumer.override.*`. */
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
    change('', 'The brokers stand in the file of the worker, as bootstrap.servers: put them into the variable KAFKA_BROKERS')
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
    if (name.startsWith('ssl.')) refuse(`${PREFIX}${name}`, 'is a key store of Java: write its certificates as PEM under kafka.tls')
    else needless(`${PREFIX}${name}`, NEEDLESS[name] ?? 'has no effect here: the sink sets what it needs')
  }

  function translateStart(reset: string | undefined): void {
    if (reset === 'latest') kafka['from'] = 'latest'
    if (reset !== undefined)
      change(
        `${PREFIX}auto.offset.reset`,
        'says where a new group begins, and no longer what happens when positions are lost: that is kafka.lostOffsets'
      )
  }
}

const PREFIX = 'consumer.override.'

const DURATIONS: readonly (readonly [name: string, key: string])[] = [
  ['session.timeout.ms', 'sessionTimeout'],
  ['heartbeat.interval.ms', 'heartbeat'],
  ['rebalance.timeout.ms', 'rebalanceTimeout'],
  ['metadata.max.age.ms', 'metadataMaxAge'],
  ['request.timeout.ms', 'requestTimeout'],
  ['fetch.max.wait.ms', 'maxWait']
]

const NEEDLESS: Readonly<Record<string, string>> = {
  'max.poll.records': 'is not needed: records are taken as they come, up to maxBytes',
  'max.poll.interval.ms': 'is not needed: a slow container never costs the place in the group',
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
      'asks for tokens: those of Entra are taken, for the scope that the variable KAFKA_SCOPE names'
    )
    return
  }
  if (mechanism === undefined || !['plain', 'scram-sha-256', 'scram-sha-512'].includes(mechanism)) {
    return refuse(
      `${PREFIX}sasl.mechanism`,
      `is ${mechanism ?? 'not said'}: there are plain, scram-sha-256, scram-sha-512 and oauthbearer, under kafka.sasl`
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
