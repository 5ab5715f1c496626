export { ConfigError, type ConfigMistake } from './config/describe-issue.ts'
export type { Note } from './config/from-connect/draft.ts'
export { type ConnectTranslation, translateConnect } from './config/from-connect/translate-connect.ts'
export type { CheckReport, Finding, Sample, SampleOutcome, SinkReport } from './check/check-report.ts'
export { configJsonSchema } from './config/json-schema.ts'
export { configReference, type ConfigReference } from './config/reference.ts'
export type { MigratedConfig, RenamedKey } from './config/renamed-keys.ts'
export { type ConfigSource, type ConfigDependencies, migrateConfig, readConfig } from './config/read-config.ts'
export { readRegularFile } from './config/references.ts'
export type { ServiceSettings, SinkSettings } from './config/settings.ts'
export type {
  Commit,
  Committed,
  Consumer,
  ConsumerListener,
  OutOfRange,
  RecordBatch,
  Start,
  TopicPartition
} from './kafka/consumer-port.ts'
export { type MetricReference, metricsReference } from './observability/metric-definitions.ts'
export { createLog, type Log } from './log.ts'
export type { SinkState } from './sink-lifecycle.ts'
export { type SinkWait, WAIT_REASONS, type WaitReason } from './lifecycle/waits.ts'
export { sampleTopic, type TopicSample, type TopicSampleOptions } from './check/topic-sample.ts'
export { checkService } from './check/check-sink.ts'
export { defaultDependencies, type SinkDependencies } from './dependencies.ts'
export type { SinkRecord } from './kafka/consumer-port.ts'
export type { DeadLetterWriter } from './dead-letter/dead-letter-writer.ts'
export { type SinkCode, SINK_CODES, type SinkRejection } from './dead-letter/sink-codes.ts'
export { type OpenSinkSwitch, openSinkSwitch } from './switch/open-sink-switch.ts'
export type { SwitchStep } from './switch/sink-switch.ts'
export { openReplay, type Replay, type ReplayOptions } from './replay/replay.ts'
export type { ReplayResult } from './replay/replay-run.ts'
export { type JournalOwner, openReplayJournal, readReplayJournal, type ReplayJournal } from './replay/replay-journal.ts'
export { REPLAY_CODES, type ReplayCode, type ReplayFilter } from './replay/find-dead-letters.ts'
export { runService, type Service } from './run-service.ts'
export { assembleSink, createSink, type Sink } from './sink.ts'
export type { SinkEnd } from './sink-lifecycle.ts'
export type { SinkStats } from './sink-stats.ts'
