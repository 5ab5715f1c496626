import type { Count, Query } from './ast.ts'
import { readParameter } from './compile-scope.ts'
import { isCount } from './count.ts'
import { wrongQuery } from './query-error.ts'

/** Which rows TOP, or OFFSET and LIMIT, let through. */
export function readWindow(query: Query, parameters: ReadonlyMap<string, unknown>): { offset: number; limit: number } {
  if (query.top !== undefined) return { offset: 0, limit: readCount(query.top, parameters) }
  if (query.window === undefined) return { offset: 0, limit: Number.POSITIVE_INFINITY }
  return { offset: readCount(query.window.offset, parameters), limit: readCount(query.window.limit, parameters) }
}

/** The number that a count stands for. */
export function readCount(count: Count, parameters: ReadonlyMap<string, unknown>): number {
  if (typeof count === 'number') return count
  const value = readParameter(count.parameter, count.at, parameters)
  if (!isCount(value)) throw wrongQuery(`The parameter ${count.parameter} must be a whole number that is not negative`, count.at)
  return value
}
