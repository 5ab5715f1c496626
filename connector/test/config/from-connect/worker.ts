/** Configuration of topics, converters and brokers, for both connectors. */
export const WORKER_KEYS = {
  topics: 'drives',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable': 'false',
  'consumer.override.bootstrap.servers': 'broker-1:9092,broker-2:9092'
}

/** For every reference that a translation puts in the place of a secret, or of what only a worker's file says. */
export const ENVIRONMENT = {
  COSMOS_KEY: 'bXkgbWFzdGVyIGtleQ==',
  KAFKA_PASSWORD: 'secret',
  KAFKA_BROKERS: 'broker-1:9092',
  REGISTRY_PASSWORD: 'secret',
  REGISTRY_TOKEN: 'token'
}
