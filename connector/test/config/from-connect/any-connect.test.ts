import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConfigError } from '../../../src/config/describe-issue.ts'
import { translateConnect } from '../../../src/config/from-connect/translate-connect.ts'
import { readText } from '../read-text.ts'

const CANARY = 'c2VjcmV0IGNhbmFyeQ=='
const CLASSES = [
  'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
  'com.azure.cosmos.kafka.connect.sink.CosmosDBSinkConnector'
]
const SECRET_KEYS: Readonly<Record<string, string>> = {
  'azure.cosmos.account.key': CANARY,
  'connect.cosmos.master.key': CANARY,
  'azure.cosmos.auth.aad.clientSecret': CANARY,
  'azure.cosmos.throughputControl.account.key': CANARY,
  'value.converter.basic.auth.user.info': `me:${CANARY}`,
  'key.converter.basic.auth.user.info': CANARY,
  'value.converter.bearer.auth.token': CANARY,
  'consumer.override.sasl.jaas.config': `x required username="me" password="${CANARY}";`,
  'consumer.override.ssl.keystore.password': CANARY,
  'producer.override.sasl.jaas.config': `x required username="me" password='${CANARY}';`
}
const OTHER_KEYS = [
  'azure.cosmos.account.endpoint',
  'connect.cosmos.connection.endpoint',
  'azure.cosmos.sink.database.name',
  'connect.cosmos.databasename',
  'azure.cosmos.sink.containers.topicMap',
  'connect.cosmos.containers.topicmap',
  'azure.cosmos.sink.write.strategy',
  'azure.cosmos.sink.write.patch.property.configs',
  'azure.cosmos.sink.id.strategy',
  'azure.cosmos.sink.id.strategy.jsonPath',
  'azure.cosmos.sink.id.strategy.template',
  'id.strategy',
  'topics',
  'topics.regex',
  'transforms',
  'transforms.a.type',
  'transforms.a.field',
  'predicates',
  'key.converter',
  'value.converter',
  'value.converter.schema.registry.url',
  'consumer.override.bootstrap.servers',
  'consumer.override.sasl.mechanism',
  'consumer.override.session.timeout.ms',
  'errors.tolerance',
  'errors.deadletterqueue.topic.name',
  'azure.cosmos.throughputControl.enabled',
  'azure.cosmos.throughputControl.targetThroughput',
  'unheard.of'
]
const VALUES = [
  '',
  'a',
  'a,b',
  'a#c',
  'a#c,b#d',
  '#',
  '${env:X}',
  '${file:/x:y}',
  '${',
  '[',
  'https://a/',
  'PLAIN',
  'all',
  'true',
  '-1',
  '30000',
  'ItemPatch',
  'FullKeyStrategy',
  'property(a).op(set)',
  '$.a',
  'org.apache.kafka.connect.json.JsonConverter',
  'io.confluent.connect.avro.AvroConverter',
  'org.apache.kafka.connect.transforms.ExtractField$Key',
  'broker:9092'
]

const config = fc
  .tuple(
    fc.constantFrom(...CLASSES),
    fc.subarray(Object.keys(SECRET_KEYS)),
    fc.dictionary(fc.constantFrom(...OTHER_KEYS), fc.constantFrom(...VALUES), { maxKeys: 12 })
  )
  .map(([connector, secrets, others]) => ({
    'connector.class': connector,
    ...others,
    ...Object.fromEntries(secrets.map((key) => [key, SECRET_KEYS[key]]))
  }))

test('a random configuration of Kafka Connect becomes a configuration that can be read or is refused, without its secrets', async () => {
  await fc.assert(
    fc.asyncProperty(config, async (given) => {
      const { yaml, notes } = translateConnect(JSON.stringify({ name: 'any', config: given }))

      expect(yaml + JSON.stringify(notes)).not.toContain(CANARY)
      expect(notes.every(({ message }) => !message.includes('undefined'))).toBe(true)
      expect(await canBeReadOrIsRefused(yaml)).toBe(true)
    }),
    { numRuns: 80 }
  )
})

async function canBeReadOrIsRefused(yaml: string): Promise<boolean> {
  try {
    await readText(yaml)
    return true
  } catch (error) {
    return error instanceof ConfigError
  }
}
