import type { BinaryOperator } from './ast.ts'
import { finite } from './builtin-function.ts'
import { checkTextLength, MAX_SET_LENGTH, maxMatchSteps } from './limits.ts'
import { wrongQuery } from './query-error.ts'
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
  return (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined
}

function concatenate(left: string, right: string): string {
  checkTextLength(left.length + right.length)
  return left + right
}

/**
 * Compiles a LIKE pattern: `%` is any string, `_` one character, `[a-f]` and `[^a-f]` one character of a set. Matching
 * takes linear time except for `%`, and its steps are limited.
 */
export function compileLike(pattern: string, escape: string | undefined): (text: string) => boolean {
  const parts = parsePattern([...pattern], escape)
  return (text) => matches(parts, [...text])
}

type Test = (character: string) => boolean
type Part = 'any' | Test

function parsePattern(pattern: readonly string[], escape: string | undefined): Part[] {
  const parts: Part[] = []
  const lastClose = pattern.lastIndexOf(']')
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    const end = character === '[' && at + 2 <= lastClose ? pattern.indexOf(']', at + 2) : -1
    if (character === escape && at + 1 < pattern.length) parts.push(isExactly(pattern[++at]))
    else if (character === '%') parts.push('any')
    else if (character === '_') parts.push(() => true)
    else if (end > 0) {
      parts.push(isInSet(pattern.slice(at + 1, end)))
      at = end
    } else parts.push(isExactly(character))
  }
  return parts
}

function isExactly(expected: string): Test {
  return (character) => character === expected
}

function isInSet(set: readonly string[]): Test {
  const negated = set[0] === '^' && set.length > 1
  const ranges = toRanges(negated ? set.slice(1) : set)
  return (character) => ranges.some(([low, high]) => character >= low && character <= high) !== negated
}

function toRanges(set: readonly string[]): [string, string][] {
  if (set.length > MAX_SET_LENGTH)
    throw wrongQuery(`A set in a LIKE pattern has more than ${MAX_SET_LENGTH} characters`)
  const ranges: [string, string][] = []
  for (let at = 0; at < set.length; at++) {
    const isRange = set[at + 1] === '-' && at + 2 < set.length
    ranges.push([set[at], set[isRange ? at + 2 : at]])
    if (isRange) at += 2
  }
  return ranges
}

// after a mismatch only the last `%` takes one more character, so the number of steps is at most text length times
// pattern length
function matches(parts: readonly Part[], text: readonly string[]): boolean {
  const maxSteps = maxMatchSteps(text.length)
  let part = 0
  let lastAny = -1
  let resume = 0
  for (let at = 0, steps = 0; at < text.length; steps++) {
    if (steps > maxSteps) throw wrongQuery('LIKE takes too many steps; use a shorter pattern')
    const current = parts[part]
    if (current === 'any') {
      lastAny = part++
      resume = at
    } else if (current?.(text[at])) {
      part++
      at++
    } else if (lastAny >= 0) {
      part = lastAny + 1
      at = ++resume
    } else return false
  }
  return parts.slice(part).every((rest) => rest === 'any')
}
