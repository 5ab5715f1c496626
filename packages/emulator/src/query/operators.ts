import type { BinaryOperator } from './ast.ts'
import { finite } from './builtin-function.ts'
import { boundText } from './limits.ts'
import { compareScalars, isEqual } from './values.ts'

type Operate = (left: unknown, right: unknown) => unknown

/** The result of each operator for two values; undefined when the types do not match. */
export const operators: Readonly<Record<BinaryOperator, Operate>> = {
  // values of different types are unequal; a comparison with undefined is undefined
  '=': (left, right) => (left === undefined || right === undefined ? undefined : isEqual(left, right)),
  '!=': (left, right) => (left === undefined || right === undefined ? undefined : !isEqual(left, right)),
  '<': comparing((order) => order < 0),
  '>': comparing((order) => order > 0),
  '<=': comparing((order) => order <= 0),
  '>=': comparing((order) => order >= 0),
  '|': computing((left, right) => left | right),
  '^': computing((left, right) => left ^ right),
  '&': computing((left, right) => left & right),
  '<<': computing((left, right) => left << right),
  '>>': computing((left, right) => left >> right),
  '>>>': computing((left, right) => left >>> right),
  '+': computing((left, right) => left + right),
  '-': computing((left, right) => left - right),
  '*': computing((left, right) => left * right),
  '/': computing((left, right) => left / right),
  '%': computing((left, right) => left % right),
  '||': (left, right) => (typeof left === 'string' && typeof right === 'string' ? concatenate(left, right) : undefined),
  '??': (left, right) => (left === undefined ? right : left)
}

function comparing(test: (order: number) => boolean): Operate {
  return (left, right) => {
    const order = compareScalars(left, right)
    return order === undefined ? undefined : test(order)
  }
}

function computing(compute: (left: number, right: number) => number): Operate {
  return (left, right) => (typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined)
}

function concatenate(left: string, right: string): string {
  boundText(left.length + right.length)
  return left + right
}
