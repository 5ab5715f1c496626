export type {
  CandidateReport,
  HeatMap,
  HygieneFinding,
  Interval,
  PartitionsNeeded,
  PlanReport,
  Price,
  QueryReport,
  Recipe,
  RetentionRow,
  SampleSummary,
  Verdict,
  WindowFigure
} from './report/plan-report.ts'
export type { QueryLoad, Workload, WriteLoad } from './workload/workload.ts'
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
  type PresentContainer,
  type Raise,
  type RateStep
} from './service/raise.ts'
export {
  daysUntil,
  forecastStorage,
  partitionsForStorage,
  PLANNED_PARTITION_GB,
  type StorageForecast,
  type StorageLoad,
  type StoragePartitions
} from './service/storage.ts'
export { parseQuery } from './workload/parse-query.ts'
export {
  parseWorkload,
  type SqlReader,
  WorkloadError,
  type WorkloadMistake,
  type WorkloadOptions
} from './workload/parse-workload.ts'
export {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatPrice,
  formatRate,
  parseBytes,
  parseCount,
  parseDuration,
  parseGrowth,
  parsePercent,
  parseRate,
  parseRu,
  type Reading
} from './workload/quantity.ts'
