export { createVerification, type Verification, type VerificationOptions } from './compare/verification.ts'
export type { CompareLimits, CompareProgress, Comparison } from './compare/compare-containers.ts'
export type { Difference, DifferenceKind, SeenVersion, Unsettled } from './compare/difference.ts'
export type { RepairOutcome } from './compare/repair.ts'
export {
  openMoveContainer,
  type MoveContainerOptions,
  type MoveContainerStats,
  type OpenMoveContainer
} from './containers/open-container.ts'
export type {
  ChangesAnswer,
  ChangesPage,
  ChangesRequest,
  DeleteWrite,
  DocumentVersion,
  DocumentWrite,
  FeedMode,
  FeedRange,
  MoveContainer,
  RangeSplit,
  ReadOptions,
  StoreWrite,
  WriteAnswer
} from './containers/move-container.ts'
