import type { Expression, LikeExpression } from './ast.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { constantOf, isScalar } from './constant-of.ts'
import { isEqual } from './equality.ts'
import { compileLike } from './like-matcher.ts'
import { compareScalars } from './value-order.ts'

type TestExpression = Expression & { kind: 'in' | 'between' | 'like' }
type Compile = (expression: Expression) => Evaluate

/** Compiles IN, BETWEEN and LIKE, with NOT before them. */
export function compileTest(expression: TestExpression, scope: CompileScope, compile: Compile): Evaluate {
  const test = compilePlain(expression, scope, compile)
  if (!expression.not) return test
  return (row) => {
    const result = test(row)
    return typeof result === 'boolean' ? !result : undefined
  }
}

function compilePlain(expression: TestExpression, scope: CompileScope, compile: Compile): Evaluate {
  if (expression.kind === 'like') return compileLikeTest(expression, scope, compile)
  if (expression.kind === 'between') return between(compile(expression.value), compile(expression.low), compile(expression.high))
  return compileIn(expression, scope, compile)
}

function between(read: Evaluate, low: Evaluate, high: Evaluate): Evaluate {
  return (row) => {
    const value = read(row)
    const aboveLow = compareScalars(value, low(row))
    const belowHigh = compareScalars(value, high(row))
    if ((aboveLow !== undefined && aboveLow < 0) || (belowHigh !== undefined && belowHigh > 0)) return false
    return aboveLow === undefined || belowHigh === undefined ? undefined : true
  }
}

function compileIn({ value, list }: Expression & { kind: 'in' }, scope: CompileScope, compile: Compile): Evaluate {
  const read = compile(value)
  const scalars = new Set(list.map((item) => constantOf(item, scope)).filter(isScalar))
  const others = list.filter((item) => !isScalar(constantOf(item, scope))).map(compile)
  return (row) => {
    const needle = read(row)
    if (needle === undefined) return undefined
    return scalars.has(needle) || others.some((other) => isEqual(other(row), needle))
  }
}

function compileLikeTest({ value, pattern, escape }: LikeExpression, scope: CompileScope, compile: Compile): Evaluate {
  const read = compile(value)
  const known = constantOf(pattern, scope)
  const readMatcher = typeof known === 'string' ? constantMatcher(known, escape) : matcherOf(compile(pattern), escape)
  return (row) => {
    const text = read(row)
    const matches = readMatcher(row)
    return typeof text === 'string' && matches !== undefined ? matches(text) : undefined
  }
}

type ReadMatcher = (row: unknown) => ((text: string) => boolean) | undefined

function constantMatcher(pattern: string, escape: string | undefined): ReadMatcher {
  const matches = compileLike(pattern, escape)
  return () => matches
}

function matcherOf(read: Evaluate, escape: string | undefined): ReadMatcher {
  return (row) => {
    const pattern = read(row)
    return typeof pattern === 'string' ? compileLike(pattern, escape) : undefined
  }
}
