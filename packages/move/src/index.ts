export { hashOfIdentity } from './digest/identity-hash.ts'
export { createVerification, type Verification, type VerificationOptions } from './compare/verification.ts'
export type { CompareLimits, CompareProgress, Comparison } from './compare/compare-containers.ts'
export type { Difference, DifferenceKind, SeenVersion, Unsettled } from './compare/difference.ts'
export type { RepairOutcome } from './compare/repair.ts'
export { checkMove } from './check/check-move.ts'
export { type CheckedPlan, readCheckedPlan } from './check/checked-plan.ts'
export type { IndexingPolicy } from './check/indexed-values.ts'
export {
  type BackPromise,
  type CheckedSample,
  type CheckedSide,
  type CheckFinding,
  type CheckVerdict,
  type DeletePromise,
  FINDING_CODES,
  type FindingCode,
  type KeyChangePromise,
  type MoveCheck,
  type MoveEstimate,
  type PlanPromise,
  type Severity,
  type TtlPromise,
  type UnknownFact
} from './check/move-check.ts'
export type {
  CheckedCharges,
  CheckedContainer,
  CheckedOptions,
  CheckedPrices,
  CheckedThroughput,
  Fact,
  MoveFacts,
  Scripts,
  TargetRecipe,
  VersionsFeed
} from './check/move-facts.ts'
export { countSample, type CountSampleOptions, type SampleFacts } from './check/sample-counter.ts'
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
  StoreWrite,
  WriteAnswer
} from './containers/move-container.ts'
export type { TargetIndex } from './copy/target-index.ts'
export { type FileTargetIndexOptions, openFileTargetIndex } from './target-index/file-target-index.ts'
export type { LeaseOptions } from './leases/open-leases.ts'
export { openMove, type OpenMove, type OpenMoveOptions, type OpenMoveStatus } from './open-move.ts'
export { isMoveBegun, readMoveStatus, type RequestOptions, requestStep } from './talk-to-move.ts'
export type { ControlResult } from './journal/control-request.ts'
export type { CopyLimits } from './copy/copier.ts'
export type { CopyStatus } from './copy/move-copy.ts'
export type { QueueCounts } from './copy/identity-queue.ts'
export type { Identity } from './documents/identity.ts'
export type { StoredDocument } from './documents/stored-document.ts'
export type { MappedDocument } from './documents/document-mapper.ts'
export type { ComparedEntry, Phase, RangePosition } from './journal/journal.ts'
export type { Gate, GateLimits } from './phases/gates.ts'
export type { HookFacts, HookName, HookResult, RunHook } from './phases/hooks.ts'
export type { MoveCommand } from './phases/move-command.ts'
export type { MoveStatus } from './phases/move-status.ts'
export type { MoveLimits } from './phases/turn.ts'
export type { MoveProgress } from './status/move-progress.ts'
export { type MoveWait, WAIT_REASONS, type WaitReason } from './status/move-waits.ts'
export { type VersionsAge, versionsWarning } from './status/versions-age.ts'
