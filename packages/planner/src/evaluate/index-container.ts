import type { Candidate } from '../candidates/candidate.ts'
import { largestKeyShare } from '../model/largest-key.ts'
import { routeQuery } from '../queries/route.ts'
import type { CandidateReport, IndexContainer, QueryReport } from '../report/plan-report.ts'
import { pointReadCharge } from '../service/charges.ts'
import { MAX_LOGICAL_PARTITION_GB } from '../service/limits.ts'
import type { QueryLoad, Workload } from '../workload/workload.ts'
import { type Evaluated, evaluateCandidate, type EvaluationInput } from './candidate-report.ts'
import { demandOf } from './demand.ts'
import { costOfKey } from './key-cost.ts'

/** Size of an entry of an index container: its key, and the key and the id of the document. */
const ENTRY_BYTES = 300
/** Number of indexed values of an entry. */
const ENTRY_VALUES = 1
/** Number of keys, the cheapest ones, for which index containers are tried. */
const MAX_BASES = 3
const MAX_CONTAINERS = 2
/** Effort of an index container: a second container and a second write per document are more work than any key plan. */
const EFFORT = 2

/**
 * Adds index containers to keys, for queries that do not contain the key. An entry is found by the fields of the query,
 * and contains the key and the id of a document. Returns the keys that are cheaper with index containers than alone.
 */
export function addIndexContainers(
  evaluated: readonly Evaluated[],
  candidates: readonly Candidate[],
  input: EvaluationInput
): readonly Evaluated[] {
  const possible = evaluated
    .filter(({ report }) => report.hardLimits.length === 0 && (report.physicalPartitions ?? 1) > 1)
    .toSorted((one, other) => priceOf(one) - priceOf(other))
  const bases = possible.filter(({ candidate }, index) => index < MAX_BASES || candidate.kind === 'present')
  return bases.flatMap((base) => completed(base, candidates, input) ?? [])
}

/** Returns the key with the index containers that lower its price; undefined if none does. */
function completed(base: Evaluated, candidates: readonly Candidate[], input: EvaluationInput): Evaluated | undefined {
  let found: Plan = { containers: [], served: [], price: priceOf(base) }
  let open = input.workload.queries.filter((query) => asksAll(query, base.candidate))
  for (let step = 0; step < MAX_CONTAINERS && open.length > 0; step++) {
    const better = candidates
      .map((lookup, number) => extended(found, lookup, number, open, base, input))
      .filter((plan) => plan !== undefined)
      .toSorted((one, other) => one.price - other.price)
      .find(({ price }) => price < found.price)
    if (better === undefined) break
    found = better
    open = open.filter((query) => better.served.every((each) => each.query !== query))
  }
  return found.containers.length === 0 ? undefined : reportOf(base, found, input)
}

interface Plan {
  readonly containers: readonly IndexContainer[]
  readonly served: readonly ServedQuery[]
  /** Price of the container and its index containers per month. */
  readonly price: number
}

/** A query that an index container answers. */
interface ServedQuery {
  readonly query: QueryLoad
  /** RU/s in both containers together. */
  readonly ruPerSecond: number
}

function priceOf({ report }: Evaluated): number {
  return report.monthlyPrice ?? Number.POSITIVE_INFINITY
}

function asksAll(query: QueryLoad, candidate: Candidate): boolean {
  return query.equal.length > 0 && routeQuery(query, candidate, MANY).kind === 'all'
}

// with only one physical partition, no query would be `all`
const MANY = 1000

/** Returns a plan with one more index container; undefined if no open query filters by its key, or it is impossible. */
function extended(
  plan: Plan,
  lookup: Candidate,
  number: number,
  open: readonly QueryLoad[],
  base: Evaluated,
  input: EvaluationInput
): Plan | undefined {
  const isPlain = ['id', 'field', 'joined', 'lookup'].includes(lookup.kind) && lookup.levels.length === 1
  const queries = isPlain ? open.filter((query) => isFound(query, lookup)) : []
  const added = queries.length === 0 ? undefined : indexContainer(lookup, number, queries, input)
  if (added === undefined) return undefined
  const served = [...plan.served, ...added.served]
  const workload = withoutServed(input.workload, served)
  const demand = demandOf(workload, base.candidate, input.shape)
  const { priced } = costOfKey(base.number, demand, { ...input, workload, gb: input.storage.gb })
  const price = priced?.monthlyPrice ?? null
  if (price === null) return undefined
  const containers = [...plan.containers, added.container]
  return { containers, served, price: price + containers.reduce((sum, each) => sum + each.monthlyPrice, 0) }
}

function isFound(query: QueryLoad, lookup: Candidate): boolean {
  const { kind } = routeQuery(query, lookup, MANY)
  return kind === 'point' || kind === 'key'
}

/** Computes throughput and price of an index container; undefined if it would exceed a limit. */
function indexContainer(
  lookup: Candidate,
  number: number,
  queries: readonly QueryLoad[],
  input: EvaluationInput
): { readonly container: IndexContainer; readonly served: readonly ServedQuery[] } | undefined {
  const profile = input.sample.keys[number]
  if (profile === null || profile.records === 0) return undefined
  const { basis, shape, storage } = input
  const withEntry = lookup.kind === 'lookup' ? profile.records / (profile.records + profile.rejected) : 1
  const gb = storage.gb === null ? null : (storage.gb * withEntry * ENTRY_BYTES) / shape.itemBytes
  if (gb !== null && (largestKeyShare(profile, basis).value?.mid ?? 1) * gb >= MAX_LOGICAL_PARTITION_GB)
    return undefined
  const workload = {
    ...input.workload,
    ...entryLoad(input.workload, withEntry, changes(lookup, input.workload)),
    queries
  }
  const demand = demandOf(workload, lookup, { itemBytes: ENTRY_BYTES, indexedValues: ENTRY_VALUES })
  const { answer, priced } = costOfKey(number, demand, { ...input, workload, gb })
  const monthlyPrice = priced?.monthlyPrice ?? null
  if (answer.needed === null || monthlyPrice === null) return undefined
  const { partitions, ruPerSecond } = answer.needed
  const read = pointReadCharge(shape.itemBytes, workload.consistency)
  const container: IndexContainer = {
    name: lookup.name,
    plan: lookup.kind === 'lookup' ? null : lookup.plan,
    partitionKeyPaths: lookup.kind === 'lookup' ? [lookup.name] : lookup.partitionKeyPaths,
    queries: queries.map(({ name }) => name),
    neededRuPerSecond: ruPerSecond,
    physicalPartitions: partitions,
    gb,
    monthlyPrice
  }
  const served = demand.queriesAt(partitions).map((found, index) => {
    const query = queries[index]
    return { query, ruPerSecond: (found.ruPerSecond ?? 0) + query.perSecond * query.rows * read }
  })
  return { container, served }
}

function changes({ name }: { readonly name: string }, { changingFields }: Workload): boolean {
  return changingFields.includes(name)
}

/**
 * Writes to the index container: one entry per new document that has the field. An update does not change the entry,
 * unless the field changes: then each update counts as a new entry and the deletion of the old one.
 */
function entryLoad(
  { writes }: Workload,
  withEntry: number,
  isChanging: boolean
): Pick<Workload, 'writes' | 'pointReadsPerSecond'> {
  const isUpdate = writes?.operation === 'replace' || writes?.operation === 'patch'
  const mayChange = isChanging && (isUpdate || writes?.operation === 'upsert')
  const perWrite = mayChange ? 2 : isUpdate ? 0 : 1
  return {
    writes:
      writes === undefined || perWrite === 0
        ? undefined
        : {
            ...writes,
            operation: isUpdate ? 'create' : writes.operation,
            perSecond: writes.perSecond * withEntry * perWrite,
            indexedValues: ENTRY_VALUES,
            changedValues: 0
          },
    pointReadsPerSecond: undefined
  }
}

/** Load of the container itself: a query that an index container answers becomes point reads of its documents. */
function withoutServed(workload: Workload, served: readonly ServedQuery[]): Workload {
  const reads = served.reduce((sum, { query }) => sum + query.perSecond * query.rows, 0)
  return {
    ...workload,
    queries: workload.queries.filter((query) => served.every((each) => each.query !== query)),
    pointReadsPerSecond: (workload.pointReadsPerSecond ?? 0) + reads
  }
}

function reportOf({ candidate, number, effort }: Evaluated, plan: Plan, input: EvaluationInput): Evaluated {
  const { containers, served, price } = plan
  const own = evaluateCandidate(candidate, number, { ...input, workload: withoutServed(input.workload, served) })
  const rest = [...own.report.queries]
  const names = containers.map(({ name }) => name).join(' and ')
  const report: CandidateReport = {
    ...own.report,
    name: `${own.report.name}, with an index container by ${names}`,
    monthlyPrice: price,
    queries: input.workload.queries.map((query) => {
      const found = served.find((each) => each.query === query)
      return found === undefined ? (rest.shift() as QueryReport) : servedReport(found, own)
    }),
    indexContainers: containers,
    warnings: [
      ...own.report.warnings,
      TWO_WRITES,
      ...containers.filter((container) => changes(container, input.workload)).map(movesWarning)
    ],
    readers: `${own.report.readers} A query with ${names} reads the index container first, and then each document by its key and id.`
  }
  return { ...own, report, effort: effort + EFFORT * containers.length }
}

const TWO_WRITES =
  'A document and its index entry are two writes, and not one transaction: write the entry first, and ignore an entry whose document does not exist.'

function movesWarning({ name }: IndexContainer): string {
  return `${name} changes during the life of a document: when it changes, write the new index entry first, and delete the old one after the document was written. The price assumes that every update changes it.`
}

/** Such a query goes to one physical partition of the index container, and to one for each of its documents. */
function servedReport({ query, ruPerSecond }: ServedQuery, { report }: Evaluated): QueryReport {
  const ranges = 1 + Math.min(query.rows, report.physicalPartitions ?? 1)
  return { name: query.name, kind: 'ranges', ranges, ruPerSecond }
}
