import { isAggregate } from './aggregate.ts'
import type { CallExpression, Expression, LikeExpression } from './ast.ts'
import {
  type BoundName,
  type CompileScope,
  type ComputedProperty,
  constantOf,
  type Evaluate,
  isScalar,
  readParameter
} from './compile-scope.ts'
import { functionTable } from './function-table.ts'
import { compileLike, operators } from './operators.ts'
import { wrongQuery } from './query-error.ts'
import { compareScalars, isEqual, isRecord, readMember, writeMember } from './values.ts'
import { compileVectorDistance, isVectorDistance } from './vector-distance.ts'

/** Compiles an expression into a closure, once per run. */
export function compileExpression(expression: Expression, scope: CompileScope): Evaluate {
  return scope.readKey?.(expression) ?? compileOther(expression, scope)
}

function compileOther(expression: Expression, scope: CompileScope): Evaluate {
  const compile = (inner: Expression): Evaluate => compileExpression(inner, scope)
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value)
    case 'parameter':
      return constant(readParameter(expression.name, expression.at, scope.parameters))
    case 'name':
      return compileName(expression, scope)
    case 'member':
      return compileProperty(expression, scope)
    case 'index':
      return compileIndex(compile(expression.of), compile(expression.index))
    case 'unary':
      return UNARY[expression.operator](compile(expression.operand))
    case 'binary':
      return compileBinary(expression, scope)
    case 'logical':
      return compileLogical(expression.operands.map(compile), expression.operator === 'OR')
    case 'conditional':
      return compileConditional(compile(expression.test), compile(expression.yes), compile(expression.no))
    case 'in':
    case 'between':
    case 'like':
      return compileTest(expression, scope, compile)
    case 'call':
      return compileCall(expression, scope)
    case 'array':
      return compileArray(expression.items.map(compile))
    case 'object':
      return compileObject(expression.members.map(({ name, value }) => [name, compile(value)]))
    case 'subquery':
      return scope.compileSubquery(expression, scope)
  }
}

function compileName({ name, at }: Expression & { kind: 'name' }, { names, use }: CompileScope): Evaluate {
  const bound = names.get(name)
  if (bound === undefined) throw wrongQuery(`The name '${name}' could not be resolved`, at)
  if (bound.isDocument) use.addWhole()
  return bound.read
}

function compileProperty({ of, name }: Expression & { kind: 'member' }, scope: CompileScope): Evaluate {
  const bound = of.kind === 'name' ? scope.names.get(of.name) : undefined
  if (bound?.isDocument !== true) return compileMember(compileExpression(of, scope), name)
  const computed = scope.computed.get(name)
  if (computed !== undefined) return compileComputed(computed, bound, scope)
  scope.use.add(name)
  return compileMember(bound.read, name)
}

// a computed property cannot use other computed properties
function compileComputed({ alias, value }: ComputedProperty, document: BoundName, scope: CompileScope): Evaluate {
  return compileExpression(value, { ...scope, names: new Map([[alias, document]]), computed: new Map() })
}

function constant(value: unknown): Evaluate {
  return () => value
}

function compileMember(of: Evaluate, name: string): Evaluate {
  if (name in Object.prototype) {
    return (row) => {
      const whole = of(row)
      return isRecord(whole) ? readMember(whole, name) : undefined
    }
  }
  return (row) => {
    const whole = of(row)
    return isRecord(whole) ? whole[name] : undefined
  }
}

function compileIndex(of: Evaluate, index: Evaluate): Evaluate {
  return (row) => {
    const whole = of(row)
    const at = index(row)
    if (Array.isArray(whole)) return typeof at === 'number' ? whole[at] : undefined
    return isRecord(whole) && typeof at === 'string' ? readMember(whole, at) : undefined
  }
}

const UNARY: Readonly<Record<'NOT' | '-' | '+' | '~', (operand: Evaluate) => Evaluate>> = {
  NOT: (operand) => (row) => {
    const value = operand(row)
    return typeof value === 'boolean' ? !value : undefined
  },
  '-': (operand) => onNumber(operand, (value) => -value),
  '+': (operand) => onNumber(operand, (value) => value),
  '~': (operand) => onNumber(operand, (value) => ~value)
}

function onNumber(operand: Evaluate, compute: (value: number) => number): Evaluate {
  return (row) => {
    const value = operand(row)
    return typeof value === 'number' ? compute(value) : undefined
  }
}

function compileBinary({ operator, left, right }: Expression & { kind: 'binary' }, scope: CompileScope): Evaluate {
  const readLeft = compileExpression(left, scope)
  const readRight = compileExpression(right, scope)
  const known = constantOf(right, scope)
  if (operator === '=' && isScalar(known)) return compileEquality(readLeft, known)
  const operate = operators[operator]
  return (row) => operate(readLeft(row), readRight(row))
}

// the most frequent condition
function compileEquality(read: Evaluate, known: unknown): Evaluate {
  return (row) => {
    const value = read(row)
    return value === undefined ? undefined : value === known
  }
}

// a false operand makes AND false and a true one makes OR true, even if other operands are undefined
function compileLogical(operands: readonly Evaluate[], decisive: boolean): Evaluate {
  return (row) => {
    let isKnown = true
    for (const operand of operands) {
      const value = operand(row)
      if (value === decisive) return decisive
      if (value !== !decisive) isKnown = false
    }
    return isKnown ? !decisive : undefined
  }
}

function compileConditional(test: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return (row) => (test(row) === true ? yes(row) : no(row))
}

function compileCall(call: CallExpression, scope: CompileScope): Evaluate {
  if (isAggregate(call) && scope.compileAggregate !== undefined) return scope.compileAggregate(call)
  if (isVectorDistance(call)) return compileVectorDistance(call, scope, (inner) => compileExpression(inner, scope))
  const known = functionTable.get(call.name)
  if (known === undefined) throw wrongQuery(`'${call.name}' is not a recognized function here`, call.at)
  const evaluate = known.bind(scope.nowMs)
  const values = call.values.map((value) => compileExpression(value, scope))
  const [first, second] = values
  if (first === undefined) return () => evaluate()
  if (second === undefined) return (row) => evaluate(first(row))
  if (values.length === 2) return (row) => evaluate(first(row), second(row))
  return (row) => evaluate(...values.map((value) => value(row)))
}

// undefined elements and members are left out
function compileArray(items: readonly Evaluate[]): Evaluate {
  return (row) => items.map((item) => item(row)).filter((value) => value !== undefined)
}

function compileObject(members: readonly (readonly [string, Evaluate])[]): Evaluate {
  return (row) => {
    const record: Record<string, unknown> = {}
    for (const [name, read] of members) {
      const value = read(row)
      if (value !== undefined) writeMember(record, name, value)
    }
    return record
  }
}

type TestExpression = Expression & { kind: 'in' | 'between' | 'like' }
type Compile = (expression: Expression) => Evaluate

/** Compiles IN, BETWEEN and LIKE, with NOT before them. */
function compileTest(expression: TestExpression, scope: CompileScope, compile: Compile): Evaluate {
  const test = compilePlain(expression, scope, compile)
  if (!expression.not) return test
  return (row) => {
    const result = test(row)
    return typeof result === 'boolean' ? !result : undefined
  }
}

function compilePlain(expression: TestExpression, scope: CompileScope, compile: Compile): Evaluate {
  if (expression.kind === 'like') return compileLikeTest(expression, scope, compile)
  if (expression.kind === 'between')
    return between(compile(expression.value), compile(expression.low), compile(expression.high))
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
