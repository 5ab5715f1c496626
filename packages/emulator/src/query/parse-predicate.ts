import type { Expression } from './ast.ts'
import { checkExpression } from './check-query.ts'
import { compileExpression } from './compile-expression.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSource } from './parse-source.ts'
import { readRows } from './read-rows.ts'
import { TokenReader } from './token-reader.ts'

/** Answers whether one document fulfils a condition. */
export type Predicate = (document: unknown) => boolean

/** Reads a condition such as `from c where c.n = 3`, as patch takes it. */
export function parsePredicate(text: string, nowMs?: number): Predicate {
  const reader = new TokenReader(text)
  reader.expectWord('FROM')
  const from = parseSource(reader)
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : ALWAYS
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the condition')
  checkExpression(where, from.alias)
  const test = compileExpression(where, { parameters: new Map(), nowMs })
  return (document) => Array.from(readRows(from, [document])).some((row) => test(row) === true)
}

const ALWAYS: Expression = { kind: 'literal', value: true }
