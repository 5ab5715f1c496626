export { type Account, openAccount } from './account/account.ts'
export type { AccountOptions, TokenCredential } from './account/account-options.ts'
export { type ConnectionString, looksLikeConnectionString, parseConnectionString } from './account/connection-string.ts'
export type { ContainerDefinition } from './account/container-definition.ts'
export type { ContainerRange } from './account/container-range.ts'
export { CosmosError } from './account/cosmos-error.ts'
export { pointerOfPath } from './account/key-path.ts'
export type { Offer } from './account/offer.ts'
export type { Fence } from './batch/pending.ts'
export type { Outcome, Rejected, Unchanged, Written } from './classify/outcome.ts'
export { WRITE_CODES, type WriteCode } from './classify/write-codes.ts'
export type { Share } from './governor/share.ts'
export type { BatchEvent } from './lane/batch-event.ts'
export type { LateRequest } from './lane/send-permit.ts'
export type { SharedBudget } from './lease/shared-budget.ts'
export type { OrderBy } from './reader/document-order.ts'
export type { Explanation } from './reader/explanation.ts'
export type { PageRead, StoredDocument } from './reader/range-pages.ts'
export { createReader, type ExplainOptions, type ReadAllOptions, type Reader, type ReadOptions } from './reader/reader.ts'
export type { ReaderOptions } from './reader/reader-options.ts'
export { checkContainer } from './writer/check-container.ts'
export { createWriter } from './writer/create-writer.ts'
export type {
  DeleteOperation,
  DocumentName,
  DocumentOperation,
  DocumentSource,
  Operation,
  PatchOperation,
  PatchStep,
  UpsertOptions
} from './writer/operation.ts'
export { RejectedError } from './writer/rejected-error.ts'
export type { RangeCounters, RangeStats, WriterStats } from './writer/stats.ts'
export { operationFor, type WriteStrategy } from './writer/strategies.ts'
export type { RecordPlace, WritableOptions } from './writer/writable.ts'
export type { Writer, WriterEvents } from './writer/writer.ts'
export type { WriterOptions } from './writer/writer-options.ts'
