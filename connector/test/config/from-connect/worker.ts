/** Configuration of topics, converters and brokers, for both versions of the connector. */
export const WORKER_KEYS = {
  topics: 'drives',
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable': 'false',
  'consumer.override.bootstrap.servers': 'broker-1:9092,broker-2:9092'
}

/** Values of the variables that translations refer to: secrets, and settings that only the worker has. */
export const ENVIRONMENT = {
  COSMOS_KEY: 'bXkgbWFzdGVyIGtleQ==',
  KAFKA_PASSWORD: 'secret',
  KAFKA_BROKERS: 'broker-1:9092',
  REGISTRY_PASSWORD: 'secret',
  REGISTRY_TOKEN: 'token'
}
