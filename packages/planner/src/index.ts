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
