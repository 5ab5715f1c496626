import { KeystampError } from '@keystamp/core'
import { stringify } from 'yaml'
import { type ConnectConfig, createConnectConfig, translateFramework, translateRejects } from './connect-config.ts'
import { translateConverters } from './converters.ts'
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
 * Translates the JSON that Kafka Connect accepts or shows for a sink of Microsoft's, first or second version. Throws CONFIG_INVALID for anything
 * else.
 */
export function translateConnect(text: string): ConnectTranslation {
  const { name, json } = parseConnect(text)
  const config = createConnectConfig(json)
  const connector = config.take('connector.class') ?? ''
  const translateVersion = VERSIONS[connector as keyof typeof VERSIONS]
  if (translateVersion === undefined) {
    throw invalid(
      `its connector.class is ${connector === '' ? 'missing' : connector}, and translated can be ${Object.keys(VERSIONS).join(' and ')}`
    )
  }
  const notes: Note[] = []
  const say = (kind: Note['kind']) => (key: string, message: string) => void notes.push({ kind, key, message })
  const draft: Draft = { name: config.take('name') ?? name ?? 'sink', kafka: {}, cosmos: {}, write: {} }
  const translating: Translating = { draft, refuse: say('refused'), change: say('changed'), needless: say('needless') }
  // the names of the topics decide which transforms have an equivalent
  const isPattern = config.has('topics.regex')
  if (isPattern) draft.kafka.topicPattern = ''
  const transformed = translateTransforms(config, translating)
  translateVersion(config, transformed, translating)
  translateConsumer(config, translating)
  translateConverters(config, translating)
  translateFramework(config, translating)
  for (const key of config.rest()) translating.refuse(key, 'is not a known key: look up what it did')
  say('changed')('', 'Stop the connector before the sink starts: the sink resumes at the stored offsets of its group.')
  say('changed')('', 'A record without the member that the container is split by was stored without a key; here it is rejected.')
  if (draft.write['tombstones'] === undefined)
    say('changed')('', 'A record without a value ended the task; here it is rejected. Choose write.tombstones: delete or ignore.')
  return { yaml: toYaml(draft, notes), notes }
}

function parseConnect(text: string): { readonly name: string | undefined; readonly json: Readonly<Record<string, unknown>> } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalid('it is not JSON')
  }
  if (!isObject(parsed)) throw invalid('it is no JSON object')
  const { name, config } = parsed
  return { name: typeof name === 'string' ? name : undefined, json: isObject(config) ? config : parsed }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(why: string): KeystampError {
  return new KeystampError('CONFIG_INVALID', `This is no configuration of a sink that can be translated: ${why}.`)
}

function toYaml(draft: Draft, notes: readonly Note[]): string {
  const name = draft.name.replaceAll(/[^\w.-]/g, '-').slice(0, 100)
  const { kafka, key, value, registry, numbers, cosmos, id, write, rejects } = draft
  const ordered = {
    name,
    kafka,
    key,
    value,
    registry,
    numbers,
    cosmos,
    id,
    write: Object.keys(write).length === 0 ? undefined : write,
    rejects
  }
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ key: of, message }) => `# Not translated: ${of} ${message}\n`)
  return refused.join('') + stringify(ordered, { lineWidth: 0 })
}

const PREFIX = 'connect.cosmos.'

/** Translates the keys of `com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector`, which can only overwrite. */
function translateV1(config: ConnectConfig, transformed: Transformed, translating: Translating): void {
  const { draft, refuse, needless } = translating
  const endpoint = config.take(`${PREFIX}connection.endpoint`)
  if (endpoint === undefined) refuse(`${PREFIX}connection.endpoint`, 'is missing: write it under cosmos.endpoint')
  else draft.cosmos['endpoint'] = toReference(`${PREFIX}connection.endpoint`, endpoint, 'COSMOS_ENDPOINT', translating)
  const database = config.take(`${PREFIX}databasename`)
  if (database === undefined) refuse(`${PREFIX}databasename`, 'is missing: write it under cosmos.database')
  else draft.cosmos['database'] = database
  draft.cosmos['key'] = toSecretReference(`${PREFIX}master.key`, config.take(`${PREFIX}master.key`) ?? '', 'COSMOS_KEY', translating)
  translateTopics(config, `${PREFIX}containers.topicmap`, transformed.rename, translating)
  translateId(config, 'id.strategy', transformed, translating)
  translateRejects(config, undefined, translating)
  for (const [key, why] of NEEDLESS) if (config.take(`${PREFIX}${key}`) !== undefined) needless(`${PREFIX}${key}`, why)
}

const NEEDLESS: readonly (readonly [key: string, why: string])[] = [
  ['connection.gateway.enabled', 'is not needed: requests go over https to the gateway'],
  ['connection.sharing.enabled', 'is not needed: connections are shared'],
  ['sink.bulk.enabled', 'is not needed: a lone record is written at once, and records are batched only while a request is out'],
  ['sink.bulk.compression.enabled', 'is not needed: of waiting versions of one document the newest is written'],
  ['sink.maxRetryCount', 'is not needed: what passes is waited for, while partitions are paused'],
  ['provider.name', 'has no equal, and no effect on what is stored']
]
