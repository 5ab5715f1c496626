import type { ConnectConfig } from './connect-config.ts'
import type { Translating } from './draft.ts'
import { translateRejects } from './framework-keys.ts'
import { toReference, toSecretReference } from './references.ts'
import { translateTopics } from './topics.ts'
import type { Transformed } from './transforms.ts'
import { translateId } from './translate-id.ts'

const PREFIX = 'connect.cosmos.'

/** The keys of `com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector`, which only overwrites. */
export function translateV1(config: ConnectConfig, transformed: Transformed, translating: Translating): void {
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
