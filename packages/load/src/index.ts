export { type EstimateOptions, estimateLoad, type LoadEstimate, SAMPLE_RECORDS } from './estimate-load.ts'
export type { SampleEstimate } from './estimator.ts'
export { load } from './load.ts'
export type { LoadOptions, LoadSummary } from './load-options.ts'
export type { LoadProgress } from './progress-meter.ts'
export type { IdSource } from './record-id.ts'
export type { MaxRejected, RejectedLineCode } from './rejected-records.ts'
export {
  openRejectedReplay,
  type RejectedLineCounts,
  type RejectedReplay,
  type RejectedReplayOptions,
  type RejectedReplayResult,
  type ReplayMarks
} from './replay-rejected.ts'
