export type { RetryAfterPolicy, ThrottleOptions } from './charge/throttle-options.ts'
export type { UsageSecond } from './charge/meter.ts'
export type { Control, OperationFilter } from './control/control.ts'
export type {
  ContainerReport,
  EmulatorReport,
  RangeReport,
  ReportedSecond,
  ThroughputReport
} from './control/report.ts'
export type { CompactionReport } from './data/compaction-health.ts'
export { type CommandDependencies, runCommand } from './command.ts'
export type {
  PhysicalPartitionThroughput,
  ThroughputDistribution,
  ThroughputPolicy,
  ThroughputRedistribution
} from './engine/redistribute-throughput.ts'
export type { FaultAction, FaultRule, FaultStatus } from './fault/fault-rule.ts'
export type { ActiveFault } from './fault/faults.ts'
export type { MoveOptions } from './engine/mover.ts'
export { type ConsistencyLevel, type EmulatorOptions, type PartitionStatistics, WELL_KNOWN_KEY } from './settings.ts'
export { type Emulator, startEmulator } from './start-emulator.ts'
export { type EmulatorProcess, startEmulatorProcess } from './start-emulator-process.ts'
export type { AppliedWrite } from './engine/operation-log.ts'
