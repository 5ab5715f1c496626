export {
  type GroupOffset,
  type KafkaClient,
  type StoredRecord,
  type TopicRecord,
  connectKafka
} from './kafka/kafka-client.ts'
export { type KafkaHandle, type KafkaMissing, type KafkaOptions, startKafka, whyNoKafka } from './kafka/start-kafka.ts'
export { type BrowserHandle, type BrowserMissing, startBrowser } from './browser.ts'
export {
  type EntityChange,
  type HistoryPeriod,
  type HistoryShape,
  judgeHistory,
  makeHistory,
  type WantedDocument
} from './change-history.ts'
export { judgeApplied, judgeStored, type MarkedDocument, type ReportedWrite } from './last-write-wins.ts'
export { maxInASecond, type Spent } from './last-write-wins.ts'
export { CONTROLS, DRAW_MS, FOCUSED, IS_TOO_WIDE, LOW_CONTRAST, PAINT_MS, pixelsOf, UNNAMED } from './page-probes.ts'
export { GOLDEN_CHANGES, GOLDEN_MESSAGE, GOLDEN_TRUNCATE, type GoldenChange, withConnectSchema } from './change-data.ts'
export { type Random, createRandom } from './random.ts'
export { type RedisHandle, type RedisMissing, startRedis } from './redis.ts'
export { type RegistryHandle, type SchemaType, startRegistry } from './registry.ts'
export { type SensorRecord, type Telemetry, type VehicleRecord, createTelemetry } from './telemetry.ts'
export { VirtualClock } from './virtual-clock.ts'
