export { assembleSink } from './assemble-sink.ts'
export { createSink } from './create-sink.ts'
export { ConfigError, type ConfigMistake } from './config/config-error.ts'
export { configJsonSchema } from './config/published/config-json-schema.ts'
export { configReference, type ConfigReference } from './config/published/config-reference.ts'
export { type ConfigSource, type ConfigSurroundings, readConfig } from './config/read-config.ts'
export type { ServiceSettings, SinkSettings } from './config/settings.ts'
export type {
  Commit,
  Committed,
  Consumer,
  ConsumerListener,
  RecordBatch,
  TopicPartition
} from './consume/consumer-port.ts'
export { createLog } from './faces/log.ts'
export type { SinkState } from './lifecycle/states.ts'
export { machineSurroundings } from './machine-surroundings.ts'
export type { SinkRecord } from './record.ts'
export type { RejectSink } from './rejects/reject-sink.ts'
export { type SinkCode, SINK_CODES, type SinkRejection } from './rejects/sink-codes.ts'
export { runService, type Service } from './run-service.ts'
export type { Sink, SinkEnd } from './sink.ts'
export type { SinkStats } from './sink-stats.ts'
export type { Log, SinkSurroundings } from './surroundings.ts'
