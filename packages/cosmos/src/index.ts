export { type Account, openAccount } from './client/account.ts'
export type { AccountOptions, TokenCredential } from './client/account-options.ts'
export { type ConnectionString, looksLikeConnectionString, parseConnectionString } from './client/account-options.ts'
export type { ContainerDefinition, PreviousImages } from './client/container.ts'
export type { ContainerRange } from './client/container.ts'
export {
  type ControlContent,
  type ControlDocument,
  type ControlDocuments,
  openControlDocuments
} from './client/control-documents.ts'
export { createContainer, type NewThroughput } from './client/create-container.ts'
export { CosmosError } from './client/cosmos-error.ts'
export { pointerOfPath } from './client/container.ts'
export type { Offer } from './client/offer.ts'
export type { Fence } from './dispatch/pending-operation.ts'
export type { Outcome, Rejected, TwinEnd, Unchanged, Written } from './dispatch/outcome.ts'
export { WRITE_CODES, type WriteCode } from './dispatch/outcome.ts'
export type { Share } from './budget/throughput-share.ts'
export type { BatchEvent } from './dispatch/response-handler.ts'
export type { LateRequest } from './dispatch/send-permit.ts'
export type { SharedBudget } from './budget/throughput-share.ts'
export type { OrderBy } from './reader/merge-pages.ts'
export type { Explanation } from './reader/explanation.ts'
export type { PageRead, StoredDocument } from './reader/range-pages.ts'
export {
  createReader,
  type ExplainOptions,
  type ReadAllOptions,
  type Reader,
  type ReadOptions
} from './reader/reader.ts'
export type { ReaderOptions } from './reader/reader-options.ts'
export { type ContainerSample, type ContainerSampleOptions, sampleContainer } from './reader/sample-container.ts'
export { openChangeFeed, type ChangeFeed, type ChangeFeedStats, type ReadDocumentOptions } from './feed/change-feed.ts'
export type { AnswerBuffer } from './client/http-client.ts'
export type { RangeToken } from './feed/newest-tokens.ts'
export { coversToken } from './client/session-token.ts'
export type { ChangesPage, ChangesRequest, FeedMode, FeedRange, RangeSplit } from './feed/changes.ts'
export type { DocumentIdentity, FeedDocument, PageReader } from './feed/document-reader.ts'
export type { ChangeFeedOptions } from './feed/feed-options.ts'
export type { FeedFailure } from './feed/feed-requests.ts'
export type { DocumentVersion } from './feed/version-reader.ts'
export type { PriorityOptions } from './client/priority.ts'
export { checkContainer } from './client/container.ts'
export type { ContainerFacts, KeySize, RangeFacts, RangeStatistics, Unseen } from './xray/container-facts.ts'
export { openXray, type ReadChangesOptions, type SampleOptions, type Xray, type XrayOptions } from './xray/open-xray.ts'
export type { MergedRange, SplitRange } from './xray/range-routes.ts'
export type { Changes, ReadChanges, Window } from './xray/recent-changes.ts'
export type { StoredScripts } from './xray/stored-scripts.ts'
export type { VersionsFeedFacts } from './xray/versions-feed.ts'
export type { SampledDocuments } from './xray/sampled-documents.ts'
export { createWriter } from './writer/writer.ts'
export type {
  ChangePosition,
  DeleteOperation,
  DocumentName,
  DocumentOperation,
  DocumentSource,
  Operation,
  PatchOperation,
  PatchStep,
  UpsertOptions
} from './writer/operation.ts'
export type { TwinCounts } from './dispatch/twins.ts'
export { checkOrderable, type NewestOptions } from './writer/newest-options.ts'
export type { Ties } from './newest/judge.ts'
export type { Contention, NewestCounts } from './dispatch/newest-writes.ts'
export { DELETED, POSITION, type RecordPlace } from './newest/position.ts'
export { RejectedError } from './writer/operation-intake.ts'
export { BATCH_SIZE_BOUNDS, CHARGE_BOUNDS_RU, LATENCY_BOUNDS_MS } from './dispatch/outcome.ts'
export type { HeaviestKey, ThrottledRange, ThrottleReason } from './throttle/throttled-range.ts'
export type { RangeCounters, RangeStats, WriterStats } from './writer/stats.ts'
export { operationFor, type WriteStrategy } from './writer/writable.ts'
export type { RecordPosition, WritableOptions } from './writer/writable.ts'
export type { Writer, WriterEvents } from './writer/writer.ts'
export type { WriterOptions } from './writer/writer-options.ts'
