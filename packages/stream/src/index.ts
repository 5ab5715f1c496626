export { stampArray, type StampArrayOptions, stampArrayStage } from './array/stamp-array.ts'
export type { Counts } from './counts.ts'
export type { StageTransform } from './flow/create-transform.ts'
export type { Progress } from './flow/progress.ts'
export { type Stage, toChainFunction, toWebTransform } from './flow/stage.ts'
export type { StreamOptions } from './flow/stream-options.ts'
export type { KeyFunction, KeySource } from './key/key-stamper.ts'
export { stampLines, type StampLinesOptions, stampLinesStage } from './lines/stamp-lines.ts'
export {
  type ObjectStream,
  stamp,
  type StampArraysStream,
  type StampOptions,
  type StampStream
} from './object/stamp.ts'
export { type RecordFunction, stampStage, type StampStageOptions } from './object/stamp-stage.ts'
export { RecordRejectedError, type Rejected, type RejectOptions } from './reject/rejected.ts'
export { suggestField } from './reject/rejector.ts'
