import type { CallExpression, Expression, Query } from './ast.ts'
import { type CompileScope, constantOf, type Evaluate } from './compile-scope.ts'
import { wrongQuery } from './query-error.ts'
import { isRecord } from './values.ts'

/** The functions that compare two vectors. */
export type DistanceFunction = 'cosine' | 'dotproduct' | 'euclidean'

/** The distance functions of the vector policy of a container, by the path as JSON array of its names. */
export type VectorPolicy = ReadonlyMap<string, DistanceFunction>

type Parameters = Pick<CompileScope, 'parameters' | 'vectors'>

/** Whether an expression is a call of VECTORDISTANCE. */
export function isVectorDistance(
  expression: Expression
): expression is CallExpression & { readonly name: 'VECTORDISTANCE' } {
  return expression.kind === 'call' && expression.name === 'VECTORDISTANCE'
}

/**
 * The order of ORDER BY VECTORDISTANCE, which puts the most similar vectors first; undefined if the query has another
 * order or none.
 */
export function vectorOrder({ orderBy }: Query, scope: Parameters): 'Ascending' | 'Descending' | undefined {
  const [first] = orderBy
  if (first === undefined || !isVectorDistance(first.value)) return undefined
  return distanceFunctionOf(first.value, scope) === 'euclidean' ? 'Ascending' : 'Descending'
}

/** The name of a distance function in any case; undefined for any other value. */
export function toDistanceFunction(value: unknown): DistanceFunction | undefined {
  return FUNCTIONS.find((name) => typeof value === 'string' && name === value.toLowerCase())
}

const FUNCTIONS: readonly DistanceFunction[] = ['cosine', 'dotproduct', 'euclidean']

/** Compiles VECTORDISTANCE(vector, vector, useBruteForce, options). The search is always exact. */
export function compileVectorDistance(
  call: CallExpression,
  scope: CompileScope,
  compile: (inner: Expression) => Evaluate
): Evaluate {
  const measure = MEASURES[distanceFunctionOf(call, scope)]
  const [left, right] = call.values.map((value) => readVector(value, compile))
  return (row) => {
    const one = left(row)
    const other = right(row)
    if (one === undefined || other === undefined || one.length !== other.length) return undefined
    const score = measure(one, other)
    return Number.isFinite(score) ? score : undefined
  }
}

type Vector = readonly number[]

// the vector of the query is the same for each row
function readVector(value: Expression, compile: (inner: Expression) => Evaluate): (row: unknown) => Vector | undefined {
  const read = compile(value)
  const isConstant =
    value.kind === 'parameter' || (value.kind === 'array' && value.items.every(({ kind }) => kind === 'literal'))
  if (!isConstant) return (row) => toVector(read(row))
  const known = toVector(read(undefined))
  return () => known
}

function toVector(value: unknown): Vector | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  for (const element of value) if (typeof element !== 'number') return undefined
  return value as number[]
}

const MEASURES: Readonly<Record<DistanceFunction, (one: Vector, other: Vector) => number>> = {
  dotproduct: dot,
  cosine: (one, other) => dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other)),
  euclidean: (one, other) => {
    let sum = 0
    for (let at = 0; at < one.length; at++) sum += (one[at] - other[at]) ** 2
    return Math.sqrt(sum)
  }
}

function dot(one: Vector, other: Vector): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += one[at] * other[at]
  return sum
}

/** The function in the options of a call, else that of the vector policy for its path, else cosine. */
function distanceFunctionOf(call: CallExpression, scope: Parameters): DistanceFunction {
  const [left, right, bruteForce, options] = call.values
  if (bruteForce !== undefined && typeof constantOf(bruteForce, scope) !== 'boolean')
    throw wrongQuery('The third argument of VECTORDISTANCE must be true or false', call.at)
  const given = options === undefined ? undefined : readDistanceFunction(options, call, scope)
  return given ?? policyOf(left, scope) ?? policyOf(right, scope) ?? 'cosine'
}

function readDistanceFunction(
  options: Expression,
  call: CallExpression,
  scope: Parameters
): DistanceFunction | undefined {
  const values = constantRecord(options, scope)
  if (values === undefined)
    throw wrongQuery('The fourth argument of VECTORDISTANCE must be an object with constant values', call.at)
  const unknown = Object.keys(values).find((name) => !OPTIONS.has(name))
  if (unknown !== undefined) throw wrongQuery(`VECTORDISTANCE has no option '${unknown}'`, call.at)
  const name = values['distanceFunction']
  if (name === undefined) return undefined
  const known = toDistanceFunction(name)
  if (known === undefined)
    throw wrongQuery(`The distanceFunction of VECTORDISTANCE must be one of ${FUNCTIONS.join(', ')}`, call.at)
  return known
}

const OPTIONS: ReadonlySet<string> = new Set([
  'distanceFunction',
  'dataType',
  'searchListSizeMultiplier',
  'quantizedVectorListMultiplier',
  'filterPriority'
])

function constantRecord(options: Expression, scope: Parameters): Readonly<Record<string, unknown>> | undefined {
  if (options.kind !== 'object') {
    const known = constantOf(options, scope)
    return isRecord(known) ? known : undefined
  }
  const isConstant = options.members.every(({ value }) => value.kind === 'literal' || value.kind === 'parameter')
  if (!isConstant) return undefined
  return Object.fromEntries(options.members.map(({ name, value }) => [name, constantOf(value, scope)]))
}

function policyOf(value: Expression, { vectors }: Parameters): DistanceFunction | undefined {
  const names = namesOf(value)
  return names === undefined ? undefined : vectors.get(JSON.stringify(names))
}

function namesOf(value: Expression): string[] | undefined {
  if (value.kind === 'name') return []
  return value.kind === 'member' ? namesOf(value.of)?.concat(value.name) : undefined
}
