import {
  type BlockMemory,
  type ComputedProperty,
  PackedRows,
  parsePredicate,
  parseQuery,
  type PlannedRange,
  planQuery,
  type Query,
  QueryError,
  type QueryPlan,
  type QueryRun,
  runQuery,
  startQuery,
  startQueryInto,
  type VectorPolicy
} from '../query/index.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { parseJsonBody } from './request-body.ts'
import type { WireRequest } from './wire-request.ts'

/** The query engine for handlers: throws ServiceError, and caches parsed queries. */
export interface Querier {
  readonly parse: (text: string) => Query
  readonly run: (query: Query, documents: Iterable<unknown>, parameters: ReadonlyMap<string, unknown>) => unknown[]
  /** Begins a query whose documents are added one by one; callers turn its errors into refusals. */
  readonly start: (query: Query, parameters: ReadonlyMap<string, unknown>, properties: ContainerProperties) => QueryRun
  /** The same for a query that can have very many rows; other queries can use the memory after the run. */
  readonly startPacked: (
    query: Query,
    parameters: ReadonlyMap<string, unknown>,
    properties: ContainerProperties,
    memory: BlockMemory
  ) => QueryRun<PackedRows>
  readonly plan: (query: Query, features: string, asked: PlanInput) => QueryPlan
  /** Whether a document meets the condition of a patch. */
  readonly meets: (condition: string, document: unknown) => boolean
}

/** Inputs of a plan in addition to the query. */
interface PlanInput {
  readonly parameters: ReadonlyMap<string, unknown>
  /** The parts of the hash space that the query reads; undefined for the whole space. */
  readonly ranges: () => readonly PlannedRange[] | undefined
  readonly vectors: VectorPolicy
}

/** Parts of the definition of a container that queries use. */
interface ContainerProperties {
  readonly computed: ReadonlyMap<string, ComputedProperty>
  readonly vectors: VectorPolicy
}

/** Creates a querier with a clock. */
export function createQuerier(now: () => number): Querier {
  const parsed: Map<string, Query> = new Map()
  return {
    parse: (text) => refusing(() => remember(parsed, text)),
    run: (query, documents, parameters) => refusing(() => runQuery(query, { documents, parameters, nowMs: now() })),
    start: (query, parameters, properties) => startQuery(query, { parameters, ...properties, nowMs: now() }),
    startPacked: (query, parameters, properties, memory) =>
      startQueryInto(query, { parameters, ...properties, nowMs: now(), memory }, new PackedRows()),
    plan: (query, features, { parameters, ranges, vectors }) =>
      refusing(() => planQuery(query, features, parameters, ranges(), vectors)),
    meets: (condition, document) => refusing(() => parsePredicate(condition, now())(document))
  }
}

const KEPT_QUERIES = 500
const MAX_QUERY_LENGTH = 262_144

function remember(parsed: Map<string, Query>, text: string): Query {
  const known = parsed.get(text)
  if (known !== undefined) return known
  refuseUnless(text.length <= MAX_QUERY_LENGTH, `The query text is longer than ${MAX_QUERY_LENGTH} characters.`)
  const query = parseQuery(text)
  if (parsed.size >= KEPT_QUERIES) parsed.clear()
  parsed.set(text, query)
  return query
}

/** Runs a function of the query engine, and turns its errors into refusals of the request. */
export function refusing<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw refusalOf(error)
  }
}

/** An error of a query as the refusal of its request; any other error as is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof QueryError)) return error
  return new ServiceError(error.status, error.message, { subStatus: error.subStatus })
}

/** The text and the parameters of a query request. */
interface QueryBody {
  readonly text: string
  readonly parameters: ReadonlyMap<string, unknown>
}

/** Reads the body of a query or of a query plan request. */
export function parseQueryBody(request: WireRequest): QueryBody {
  const body = parseJsonBody(request.body)
  if (typeof body === 'string') return { text: body, parameters: new Map() }
  refuseUnless(isObject(body) && typeof body['query'] === 'string', "The property 'query' must be the text of a query.")
  const parameters = body['parameters'] ?? []
  refuseUnless(Array.isArray(parameters), "The property 'parameters' must be an array.")
  return { text: body['query'], parameters: new Map(parameters.map(toParameter)) }
}

function toParameter(parameter: unknown): [string, unknown] {
  const isNamed = isObject(parameter) && typeof parameter['name'] === 'string'
  refuseUnless(isNamed, 'A parameter of a query has a name and a value.')
  return [parameter['name'] as string, parameter['value']]
}
