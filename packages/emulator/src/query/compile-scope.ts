import type { CallExpression } from './ast.ts'
import { isTooDeep } from './json-value.ts'
import { wrongQuery } from './query-error.ts'

/** Computes the value of an expression for one row. */
export type Evaluate = (row: unknown) => unknown

/** What an expression may refer to besides its row. */
export interface CompileScope {
  /** By name, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  readonly nowMs: number | undefined
  /** Gives the place of an aggregate's result; absent where none can stand. */
  readonly compileAggregate?: (call: CallExpression) => Evaluate
}

/** The value of a parameter; refuses one that was not given, or is no JSON that an item could hold. */
export function readParameter(name: string, at: number, parameters: ReadonlyMap<string, unknown>): unknown {
  if (!parameters.has(name)) throw wrongQuery(`The query uses the parameter ${name}, which is not among its parameters`, at)
  const value = parameters.get(name)
  if (isTooDeep(value)) throw wrongQuery(`The parameter ${name} nests too deep`, at)
  return value
}
