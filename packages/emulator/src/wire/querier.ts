import { parsePredicate, parseQuery, planQuery, type Query, QueryError, type QueryPlan, runQuery } from '../query/index.ts'
import { refuseUnless } from '../store/checks.ts'
import { ServiceError } from './service-error.ts'

/** The query engine, as the handlers see it: its refusals are those of the service, and what was parsed is kept. */
export interface Querier {
  readonly parse: (text: string) => Query
  readonly run: (query: Query, documents: Iterable<unknown>, parameters: ReadonlyMap<string, unknown>) => unknown[]
  readonly plan: (query: Query, features: string, parameters: ReadonlyMap<string, unknown>) => QueryPlan
  /** Whether a document meets the condition of a patch. */
  readonly meets: (condition: string, document: unknown) => boolean
}

/** A querier over a clock. */
export function createQuerier(now: () => number): Querier {
  const parsed: Map<string, Query> = new Map()
  return {
    parse: (text) => refusing(() => remember(parsed, text)),
    run: (query, documents, parameters) => refusing(() => runQuery(query, { documents, parameters, nowMs: now() })),
    plan: (query, features, parameters) => refusing(() => planQuery(query, features, parameters)),
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

function refusing<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof QueryError) throw new ServiceError(error.status, error.message, { subStatus: error.subStatus })
    throw error
  }
}
