import type { Candidate } from '../candidates/candidate.ts'
import { type Route, routeQuery } from '../queries/route.ts'
import type { QueryReport } from '../report/plan-report.ts'
import { pointReadCharge, queryCharge, writeCharge } from '../service/charges.ts'
import type { QueryLoad, Workload } from '../workload/workload.ts'

/** Sizes of documents, from the workload or the sample. */
export interface DocumentShape {
  readonly itemBytes: number
  /** Number of indexed values of a document. By default, Cosmos DB indexes all values. */
  readonly indexedValues: number
}

/** RU/s that a workload needs in a container with a given key. */
export interface Demand {
  /** RU/s of writes, point reads and queries that go to the physical partition of their key. */
  readonly keyedRuPerSecond: number
  /** RU/s that queries to several or all physical partitions need in each of them. `ranges`: number of partitions. */
  readonly everyRangeRuPerSecond: (ranges: number) => number
  readonly queriesAt: (ranges: number) => readonly QueryReport[]
}

/** Computes the demand. Assumes that readers read a key as often as it occurs in the records. */
export function demandOf(workload: Workload, candidate: Candidate, shape: DocumentShape): Demand {
  const { consistency, queries, pointReadsPerSecond = 0 } = workload
  const pointReads = pointReadsPerSecond * pointReadCharge(shape.itemBytes, consistency)
  // computed for many ranges: with one physical partition, every query goes to it, with or without the key
  const routes = queries.map((query) => ({ query, isKeyed: isKeyed(routeQuery(query, candidate, 1000)) }))
  const keyed = routes.filter((each) => each.isKeyed)
  const spread = routes.filter((each) => !each.isKeyed)
  // a search for the cheapest number asks for the same ones several times
  const everyRange = new Map<number, number>()
  const keyedQueries = sumOf(keyed, ({ query }) => query.perSecond * chargeOf(query, candidate, workload, shape, 1))
  return {
    keyedRuPerSecond: writesRuPerSecond(workload, shape) + pointReads + keyedQueries,
    everyRangeRuPerSecond: (ranges) => {
      let known = everyRange.get(ranges)
      if (known === undefined) {
        known =
          sumOf(spread, ({ query }) => query.perSecond * chargeOf(query, candidate, workload, shape, ranges)) / ranges
        everyRange.set(ranges, known)
      }
      return known
    },
    queriesAt: (ranges) => queries.map((query) => reportOf(query, candidate, workload, shape, ranges))
  }
}

/** Whether each query goes to one physical partition, so that the load of queries is spread like the keys. */
function isKeyed({ kind, ranges }: Route): boolean {
  return kind === 'point' || kind === 'key' || ranges <= 1
}

function writesRuPerSecond({ writes }: Workload, shape: DocumentShape): number {
  if (writes === undefined) return 0
  const { indexedValues = shape.indexedValues, operation, perSecond, changedValues, existingShare } = writes
  return perSecond * writeCharge({ operation, itemBytes: shape.itemBytes, indexedValues, changedValues, existingShare })
}

function chargeOf(
  query: QueryLoad,
  candidate: Candidate,
  { consistency }: Workload,
  { itemBytes }: DocumentShape,
  ranges: number
): number {
  const route = routeQuery(query, candidate, ranges)
  if (route.kind === 'point') return pointReadCharge(itemBytes, consistency)
  return queryCharge({ ranges: route.ranges, resultBytes: query.rows * itemBytes, consistency })
}

function reportOf(
  query: QueryLoad,
  candidate: Candidate,
  workload: Workload,
  shape: DocumentShape,
  partitions: number
): QueryReport {
  const { kind, ranges } = routeQuery(query, candidate, partitions)
  const ruPerSecond = query.perSecond * chargeOf(query, candidate, workload, shape, partitions)
  return { name: query.name, kind, ranges, ruPerSecond }
}

function sumOf<T>(list: readonly T[], of: (each: T) => number): number {
  return list.reduce((sum, each) => sum + of(each), 0)
}
