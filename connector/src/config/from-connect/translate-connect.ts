import { KeystampError } from '@keystamp/core'
import { stringify } from 'yaml'
import { type ConnectConfig, createConnectConfig, translateFramework, translateRejects } from './connect-config.ts'
import { type Draft, type Note, toReference, toSecretReference, type Translating } from './draft.ts'
import { translateConsumer, translateTopics } from './kafka-keys.ts'
import { type Transformed, translateTransforms } from './transforms.ts'
import { translateId } from './translate-id.ts'
import { translateV2 } from './translate-v2.ts'

/** Translated configuration of one of Microsoft's connectors. */
export interface ConnectTranslation {
  readonly yaml: string
  /** Notes on all keys that could not be copied as they are. */
  readonly notes: readonly Note[]
}

const VERSIONS = {
  'com.azure.cosmos.kafka.connect.CosmosSinkConnector': translateV2,
  'com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector': translateV1
} as const

/**
 * Translates the JSON of one of Microsoft's sink connectors, version 1 or 2, as Kafka Connect accepts or shows it.
 * Throws CONFIG_INVALID for anything else.
 */
export function translateConnect(text: string): ConnectTranslation {
  const { name, json } = parseConnect(text)
  const config = createConnectConfig(json)
  const connector = config.take('connector.class') ?? ''
  const translateVersion = VERSIONS[connector as keyof typeof VERSIONS]
  if (translateVersion === undefined) {
    throw invalid(
      `its connector.class is ${connector === '' ? 'missing' : connector}; only ${Object.keys(VERSIONS).join(' and ')} can be translated`
    )
  }
  const notes: Note[] = []
  const say = (kind: Note['kind']) => (key: string, message: string) => void notes.push({ kind, key, message })
  const draft: Draft = { name: config.take('name') ?? name ?? 'sink', kafka: {}, cosmos: {}, write: {} }
  const translating: Translating = { draft, refuse: say('refused'), change: say('changed'), needless: say('needless') }
  // with a topic pattern, some transforms have no equivalent
  const isPattern = config.has('topics.regex')
  if (isPattern) draft.kafka.topicPattern = ''
  const transformed = translateTransforms(config, translating)
  translateVersion(config, transformed, translating)
  translateConsumer(config, translating)
  translateConverters(config, translating)
  translateFramework(config, translating)
  for (const key of config.rest()) translating.refuse(key, 'is not a known key: find out what it did')
  say('changed')('', 'Stop the connector before the sink starts: the sink resumes at the stored offsets of its group.')
  say('changed')(
    '',
    'If a record lacked the partition key property, the connector stored it without a partition key; the sink rejects the record.'
  )
  if (draft.write['tombstones'] === undefined && draft.isChangeData !== true && draft.dropsTombstones !== true)
    say('changed')(
      '',
      'A record without a value made the task fail; the sink rejects the record. Choose write.tombstones: delete or ignore.'
    )
  return { yaml: toYaml(draft, notes), notes }
}

function parseConnect(text: string): {
  readonly name: string | undefined
  readonly json: Readonly<Record<string, unknown>>
} {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
  if (!isObject(parsed)) throw invalid('it is not a JSON object')
  const { name, config } = parsed
  return { name: typeof name === 'string' ? name : undefined, json: isObject(config) ? config : parsed }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(why: string): KeystampError {
  return new KeystampError('CONFIG_INVALID', `This configuration of a sink cannot be translated: ${why}.`)
}

function toYaml(draft: Draft, notes: readonly Note[]): string {
  const name = draft.name.replaceAll(/[^\w.-]/g, '-').slice(0, 100)
  const { kafka, key, value, registry, numbers, cosmos, shape, id, write, rejects } = draft
  const ordered = {
    name,
    kafka,
    key,
    value,
    registry,
    numbers,
    cosmos,
    shape,
    id,
    write: Object.keys(write).length === 0 ? undefined : write,
    rejects
  }
  const refused = notes
    .filter(({ kind }) => kind === 'refused')
    .map(({ key: of, message }) => `# Not translated: ${of} ${message}\n`)
  return refused.join('') + stringify(ordered, { lineWidth: 0 })
}

const PREFIX = 'connect.cosmos.'

/**
 * Translates the keys of `com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector`. It has only the overwrite
 * strategy.
 */
function translateV1(config: ConnectConfig, transformed: Transformed, translating: Translating): void {
  const { draft, refuse, needless } = translating
  const endpoint = config.take(`${PREFIX}connection.endpoint`)
  if (endpoint === undefined) refuse(`${PREFIX}connection.endpoint`, 'is missing: write it under cosmos.endpoint')
  else draft.cosmos['endpoint'] = toReference(`${PREFIX}connection.endpoint`, endpoint, 'COSMOS_ENDPOINT', translating)
  const database = config.take(`${PREFIX}databasename`)
  if (database === undefined) refuse(`${PREFIX}databasename`, 'is missing: write it under cosmos.database')
  else draft.cosmos['database'] = database
  draft.cosmos['key'] = toSecretReference(
    `${PREFIX}master.key`,
    config.take(`${PREFIX}master.key`) ?? '',
    'COSMOS_KEY',
    translating
  )
  translateTopics(config, `${PREFIX}containers.topicmap`, transformed.rename, translating)
  translateId(config, 'id.strategy', transformed, translating)
  translateRejects(config, undefined, translating)
  for (const [key, why] of NEEDLESS) if (config.take(`${PREFIX}${key}`) !== undefined) needless(`${PREFIX}${key}`, why)
}

const NEEDLESS: readonly (readonly [key: string, why: string])[] = [
  ['connection.gateway.enabled', 'is not needed: requests go over https to the gateway'],
  ['connection.sharing.enabled', 'is not needed: connections are shared'],
  [
    'sink.bulk.enabled',
    'is not needed: the sink sends a single record without waiting, and batches records only while a request is in flight'
  ],
  [
    'sink.bulk.compression.enabled',
    'is not needed: if several versions of a document wait, the sink writes only the newest'
  ],
  ['sink.maxRetryCount', 'is not needed: the sink retries temporary errors by itself, with the partitions paused'],
  ['provider.name', 'has no equivalent, and does not change what is stored']
]

/** Translates the converters, which decoded keys and values for the connector. */
function translateConverters(config: ConnectConfig, translating: Translating): void {
  const { draft, needless, change } = translating
  const key = translateConverter('key', config, translating)
  const value = translateConverter('value', config, translating)
  if (key !== undefined) draft.key = key
  const isSchema = value === 'json-envelope'
  if (value !== undefined) draft.value = draft.isChangeData === true ? toChangeData(value, translating) : value
  if (draft.registry !== undefined || isSchema) {
    // Microsoft's connectors write 64-bit integers and decimals as Java long and double
    draft.numbers = { int64: 'number', decimal: 'number' }
    change(
      'value.converter',
      'dates and times of the schema were stored as numbers; the sink stores strings, such as 2018-08-09T07:15:00.000Z'
    )
  }
  if (config.take('header.converter') !== undefined) needless('header.converter', 'headers are read as they are')
  for (const name of config.takeAll('header.converter.').keys())
    needless(`header.converter.${name}`, 'headers are read as they are')
}

/** Format of change data whose values have the given format. */
function toChangeData(value: string, { refuse }: Translating): NonNullable<Draft['value']> {
  if (value === 'registry') return { format: 'debezium', encoding: 'registry' }
  if (!value.startsWith('json'))
    refuse(
      'value.converter',
      `produced ${value}, which is not change data: the sink reads JSON, Avro, JSON Schema and Protobuf`
    )
  return 'debezium'
}

function translateConverter(
  side: 'key' | 'value',
  config: ConnectConfig,
  translating: Translating
): string | undefined {
  const { refuse, change, needless } = translating
  const prefix = `${side}.converter`
  const written = config.take(prefix)
  const options = config.takeAll(`${prefix}.`)
  const known = new Set<string>()
  const format = formatOf()
  for (const name of options.keys())
    if (!known.has(name)) needless(`${prefix}.${name}`, 'has no effect on what is stored')
  return format

  function option(name: string): string | undefined {
    known.add(name)
    return options.get(name)
  }

  function formatOf(): string | undefined {
    const type = written?.split('.').at(-1)
    switch (type) {
      case undefined:
        change(
          prefix,
          `may be in the configuration of the worker: look there, and write \`${side}: json\`, json-envelope, registry, text or bytes`
        )
        return side === 'key' ? 'text' : 'json'
      case 'JsonConverter':
        return option('schemas.enable') === 'false' ? 'json' : 'json-envelope'
      case 'StringConverter':
        if (side === 'value')
          change(
            prefix,
            'produced strings, which are not documents; the sink stores a JSON object in a string unchanged, and stores any other string as { "value": ... }'
          )
        return 'text'
      case 'ByteArrayConverter':
        if (side === 'value')
          change(prefix, 'produced bytes, which are not documents; the sink stores them as { "value": ... } in base64')
        return 'bytes'
      case 'ProtobufConverter':
        change(prefix, 'gave null for messages and optional fields that are absent; the sink leaves these fields out')
        translateRegistry(prefix, option, translating)
        return 'registry'
      case 'AvroConverter':
      case 'JsonSchemaConverter':
        translateRegistry(prefix, option, translating)
        return 'registry'
      default:
        refuse(
          prefix,
          `is ${type}, which has no equivalent: the sink reads JSON, JSON with a schema, Avro, JSON Schema and Protobuf of a registry, text and bytes`
        )
        return undefined
    }
  }
}

function translateRegistry(
  prefix: string,
  option: (name: string) => string | undefined,
  translating: Translating
): void {
  const { draft, refuse, change } = translating
  const [url = '', ...others] = (option('schema.registry.url') ?? '').split(',')
  if (url === '') refuse(`${prefix}.schema.registry.url`, 'is missing: write it under registry.url')
  if (others.length > 0)
    change(
      `${prefix}.schema.registry.url`,
      'names several registries, but the sink uses only the first; to use all of them, give them one address with a load balancer'
    )
  if (draft.registry !== undefined && draft.registry['url'] !== url) {
    return refuse(
      `${prefix}.schema.registry.url`,
      'names another registry for keys than for values: the sink uses one registry'
    )
  }
  const registry: Record<string, string> = {
    url: toReference(`${prefix}.schema.registry.url`, url, 'REGISTRY_URL', translating)
  }
  const source = option('basic.auth.credentials.source')
  const user = option('basic.auth.user.info') ?? option('schema.registry.basic.auth.user.info')
  const token = option('bearer.auth.token')
  option('bearer.auth.credentials.source')
  if (user !== undefined) {
    const [name, password] = splitUser(user)
    registry['username'] = toReference(`${prefix}.basic.auth.user.info`, name, 'REGISTRY_USER', translating)
    registry['password'] = toSecretReference(
      `${prefix}.basic.auth.user.info`,
      password,
      'REGISTRY_PASSWORD',
      translating
    )
  } else if (source !== undefined) {
    change(`${prefix}.basic.auth.credentials.source`, `is ${source}: write registry.username and registry.password`)
  }
  if (token !== undefined)
    registry['token'] = toSecretReference(`${prefix}.bearer.auth.token`, token, 'REGISTRY_TOKEN', translating)
  draft.registry = registry
}

// a reference itself contains colons, so a string that is only a reference cannot be split
function splitUser(text: string): readonly [string, string] {
  const found = /^((?:\$\{[^}]*\}|[^:$])*):(.*)$/s.exec(text)
  return found === null ? ['${env:REGISTRY_USER}', ''] : [found[1], found[2]]
}
