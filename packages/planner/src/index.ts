export { type DistinctKeys, distinctKeys } from './model/distinct-keys.ts'
export { type Figure, type Interval, type SampleBasis, wilsonInterval } from './model/interval.ts'
export { largestKeyShare, shareOf } from './model/largest-key.ts'
export { halvesDiffer, keyHalvesDiffer, tornTransactions } from './model/sample-quality.ts'
export {
  effectiveKeys,
  type TimeHeat,
  timeHeat,
  type WindowFigure,
  type WindowOptions,
  type WorstMinute,
  worstMinute
} from './model/time-windows.ts'
export { loadByRange } from './model/range-load.ts'
export { sampledUsableShare, usableShare, type UsableShareOptions } from './model/usable-share.ts'
export type {
  CandidateReport,
  Comparison,
  Explore,
  ExploredKey,
  ExploredPartitions,
  HeatMap,
  HygieneFinding,
  IndexContainer,
  PartitionsNeeded,
  PlanReport,
  Price,
  QueryReport,
  Recipe,
  RetentionRow,
  SampleSummary,
  Verdict
} from './report/plan-report.ts'
export type { Compared, MeasuredKey, MeasuredQuery } from './report/measured-key.ts'
export { createDescribedRecords, type DescribedField, parseDescribedField } from './sample/described-records.ts'
export { discoverFields, type DiscoverOptions } from './sample/discover.ts'
export type { FieldSummary, FieldTypes, PersonalData, TimeForm } from './sample/field-summary.ts'
export type { Frequency, Halves, KeyCount, KeyCounts, KeyProfile } from './sample/key-profile.ts'
export {
  createProfiler,
  type KeyCandidate,
  type Profiler,
  type ProfilerOptions,
  type SampleProfile
} from './sample/profiler.ts'
export { type BlockMemory, readRows, RecordBlock } from './sample/record-block.ts'
export { type RowOptions, RowReader } from './sample/record-row.ts'
export type { Reservoir, ReservoirKeys } from './sample/reservoir.ts'
export type { TransactionCounts } from './sample/transaction-counter.ts'
export { createRandom } from './sample/random.ts'
export type { PresentContainer, QueryLoad, Workload, WriteLoad } from './workload/workload.ts'
export {
  type ChargedQuery,
  type ChargedWrite,
  pointReadCharge,
  queryCharge,
  readFactor,
  writeCharge
} from './service/charges.ts'
export {
  type Burst,
  burstOf,
  creationRuPerSecond,
  instantRuPerSecond,
  leastRuPerSecond,
  logicalPartitionRuPerSecond,
  MAX_CONTAINER_RU,
  MAX_LOGICAL_PARTITION_GB,
  MAX_PARTITION_GB,
  MAX_PARTITION_RU,
  MAX_PLANNED_PARTITIONS,
  partitionsAtCreation,
  type RateHistory,
  roundUpRu,
  serverlessRuPerSecond,
  type ThroughputMode
} from './service/limits.ts'
export {
  type NeededThroughput,
  neededThroughput,
  type ThroughputAnswer,
  type ThroughputDemand
} from './service/needed-throughput.ts'
export { LIST_PRICES, type PriceList } from './service/price-list.ts'
export {
  type AutoscaleLoad,
  autoscalePrice,
  type Crossovers,
  crossovers,
  type LoadShape,
  manualPrice,
  type MonthlyPrices,
  monthlyPrices,
  type PricedAccount,
  type PricedThroughput
} from './service/price.ts'
export {
  describeSteps,
  type EvenUse,
  evenUseAfter,
  planRaise,
  type Raise,
  type RaiseOptions,
  type RateStep
} from './service/raise.ts'
export {
  daysUntil,
  forecastStorage,
  type NextSplit,
  nextSplit,
  partitionsForStorage,
  PLANNED_PARTITION_GB,
  type StorageForecast,
  type StorageLoad,
  type StoragePartitions
} from './service/storage.ts'
export { parseQuery, type QueryFilters, type SqlFilters, type SqlReader } from './workload/parse-query.ts'
export { parseWorkload, WorkloadError, type WorkloadMistake, type WorkloadOptions } from './workload/parse-workload.ts'
export {
  parseBytes,
  parseCount,
  parseDuration,
  parseGrowth,
  parsePercent,
  parseRate,
  parseRu,
  type Reading
} from './workload/quantity.ts'
export {
  formatBytes,
  formatCount,
  formatMany,
  formatDuration,
  formatPercent,
  formatPrice,
  formatRate
} from './workload/quantity-text.ts'
export { type Candidate, planCandidate } from './candidates/candidate.ts'
export { type Dominated, findDominated, type FirstCounts } from './evaluate/dominated.ts'
export { withHotShares } from './candidates/hot-shares.ts'
export { findTimeField } from './candidates/find-time-field.ts'
export { type Proposal, proposeCandidates } from './candidates/propose.ts'
export { type Counted, refineCandidates, type RefineOptions } from './candidates/refine.ts'
export { createReport, type ReportInput } from './evaluate/create-report.ts'
export {
  type AnswerSize,
  type MeasuredWrites,
  busiestRecords,
  predictQuery,
  predictUsableShare
} from './evaluate/predict-measured.ts'
export { azCommand, type AzContainer } from './evaluate/recipe.ts'
export { type ExploredRate, exploreRate } from './evaluate/explore-rate.ts'
export { type ExpectedSize, expectedSize } from './evaluate/expected-size.ts'
export { type TimeConcentration, timeConcentration } from './model/time-concentration.ts'
export { renderPage } from './page/page.ts'
export type { PageOptions } from './page/shell.ts'
export { describePlanned, renderXrayPage } from './page/xray-page.ts'
export { routePresentKey } from './queries/route.ts'
export type {
  Check,
  CheckName,
  CheckUnit,
  Finding,
  Looked,
  UnseenPart,
  XrayedContainer,
  XrayedKey,
  XrayedLoad,
  XrayedQuery,
  XrayedRange,
  XrayReport,
  XrayVerdict
} from './report/xray-report.ts'
export { fitsLoad } from './xray/check-table.ts'
export { createXrayReport, keyText } from './xray/create-xray-report.ts'
export type { LoadInput, RangeInput, XrayInput } from './xray/xray-input.ts'
export {
  type CountedLoad,
  createLoadCounter,
  keyValuesOf,
  type LoadCounter,
  type LoadCounterOptions,
  type LoadedKey,
  shortHash
} from './xray/load-counter.ts'
export { countLoggedUses } from './xray/logged-load.ts'
export {
  type LogExport,
  type LoggedContainer,
  type LoggedQuery,
  type LoggedUse,
  type LogRow,
  parseLogRows,
  withoutLiterals
} from './workload/log-export.ts'
