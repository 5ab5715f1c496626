import { type ConnectTranslation, translateConnect } from '../../../src/config/from-connect/translate-connect.ts'
import type { SinkSettings } from '../../../src/config/settings.ts'
import { readText } from '../read-text.ts'

/** Package of the transforms of Apache Kafka. */
export const CORE = 'org.apache.kafka.connect.transforms'

/** Translates the configuration of a connector with these transforms, in this order. */
export function translated(
  transforms: readonly Readonly<Record<string, string>>[],
  more: Readonly<Record<string, string>> = {}
): ConnectTranslation {
  const keys = transforms.flatMap((options, index) =>
    Object.entries(options).map(([name, value]) => [`transforms.t${index}.${name}`, value])
  )
  return translateConnect(
    JSON.stringify({
      'connector.class': 'com.azure.cosmos.kafka.connect.CosmosSinkConnector',
      'azure.cosmos.account.endpoint': 'https://my-account.documents.azure.com/',
      'azure.cosmos.account.key': '${env:COSMOS_KEY}',
      'azure.cosmos.sink.database.name': 'fleet',
      'azure.cosmos.sink.containers.topicMap': 'drives#drives',
      topics: 'drives',
      'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
      'value.converter.schemas.enable': 'false',
      transforms: transforms.map((_options, index) => `t${index}`).join(','),
      ...Object.fromEntries(keys),
      ...more
    })
  )
}

export function refusedBy({ notes }: ConnectTranslation): readonly string[] {
  return notes.filter(({ kind }) => kind === 'refused').map(({ key, message }) => `${key} ${message}`)
}

export async function sinkOf({ yaml }: ConnectTranslation): Promise<SinkSettings> {
  return (await readText(yaml, { env: { COSMOS_KEY: 'a2V5', KAFKA_BROKERS: 'a:1' } })).sinks[0]
}
