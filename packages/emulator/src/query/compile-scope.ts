import type { CallExpression, Count, Expression, Query, SubqueryExpression } from './ast.ts'
import type { Pauses } from './long-subquery.ts'
import type { DocumentUse } from './needed-members.ts'
import { wrongQuery } from './query-error.ts'
import { isCount, isTooDeep } from './values.ts'
import type { VectorPolicy } from './vector-distance.ts'

/** Computes the value of an expression for one row. */
export type Evaluate = (row: unknown) => unknown

/** How an expression reads the value of a source from its row. */
export interface BoundName {
  readonly read: Evaluate
  /** Whether the value is a whole document, which has computed properties. */
  readonly isDocument: boolean
}

/** Values that an expression may use in addition to its row. */
export interface CompileScope {
  readonly names: ReadonlyMap<string, BoundName>
  /** Computed properties of the container by their names. */
  readonly computed: ReadonlyMap<string, ComputedProperty>
  /** Collects what the expressions read of documents. */
  readonly use: DocumentUse
  readonly compileSubquery: (expression: SubqueryExpression, scope: CompileScope) => Evaluate
  readonly pauses: Pauses
  /** Values by the name of the parameter, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  readonly nowMs: number | undefined
  /** The distance functions of the container's vectors. */
  readonly vectors: VectorPolicy
  /** Compiles an aggregate; undefined if no aggregate is allowed. */
  readonly compileAggregate?: (call: CallExpression) => Evaluate
  /** How an expression that is a key of GROUP BY is read; undefined for other expressions. */
  readonly readKey?: (expression: Expression) => Evaluate | undefined
}

/** A property that a container computes from each document. */
export interface ComputedProperty {
  readonly name: string
  /** The name of the document in the expression. */
  readonly alias: string
  readonly value: Expression
}

/** The value of a parameter; throws when it is missing, or nested deeper than an item can be. */
export function readParameter(name: string, at: number, parameters: ReadonlyMap<string, unknown>): unknown {
  if (!parameters.has(name))
    throw wrongQuery(`The query uses the parameter ${name}, which is not among its parameters`, at)
  const value = parameters.get(name)
  if (isTooDeep(value)) throw wrongQuery(`The parameter ${name} nests too deep`, at)
  return value
}

/** The value of a literal or parameter; undefined for expressions that depend on the row. */
export function constantOf(expression: Expression, scope: Pick<CompileScope, 'parameters'>): unknown {
  if (expression.kind === 'literal') return expression.value
  return expression.kind === 'parameter' ? readParameter(expression.name, expression.at, scope.parameters) : undefined
}

/** True for null, booleans, numbers and strings, which can be compared with ===. */
export function isScalar(value: unknown): boolean {
  return value !== undefined && (value === null || typeof value !== 'object')
}

/** The rows that TOP, or OFFSET and LIMIT, select. */
export function readWindow(query: Query, parameters: ReadonlyMap<string, unknown>): { offset: number; limit: number } {
  if (query.top !== undefined) return { offset: 0, limit: readCount(query.top, parameters) }
  if (query.window === undefined) return { offset: 0, limit: Number.POSITIVE_INFINITY }
  return { offset: readCount(query.window.offset, parameters), limit: readCount(query.window.limit, parameters) }
}

/**
 * The number of TOP, OFFSET or LIMIT, literal or from a parameter; throws unless it is a whole number that is not
 * negative.
 */
export function readCount(count: Count, parameters: ReadonlyMap<string, unknown>): number {
  if (typeof count === 'number') return count
  const value = readParameter(count.parameter, count.at, parameters)
  if (!isCount(value))
    throw wrongQuery(`The parameter ${count.parameter} must be a whole number that is not negative`, count.at)
  return value
}
