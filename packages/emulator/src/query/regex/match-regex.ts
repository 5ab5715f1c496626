import { wrongQuery } from '../query-error.ts'
import type { Modifiers } from './modifiers.ts'
import { parseRegex } from './parse-regex.ts'
import { layOut, type Step } from './regex-program.ts'
import { runRegex } from './run-regex.ts'

/** REGEXMATCH: true when the pattern matches somewhere in the text. */
export function matchRegex(text: unknown, pattern: unknown, modifiers: unknown = ''): boolean | undefined {
  if (typeof text !== 'string' || typeof pattern !== 'string' || typeof modifiers !== 'string') return undefined
  return runRegex(compile(pattern, modifiers), text)
}

// the pattern is nearly always the same for all documents of a query
let last: { readonly pattern: string; readonly modifiers: string; readonly program: readonly Step[] } | undefined

function compile(pattern: string, modifiers: string): readonly Step[] {
  if (last?.pattern === pattern && last.modifiers === modifiers) return last.program
  const program = layOut(parseRegex(pattern, readModifiers(modifiers)))
  if (program === undefined) throw wrongQuery('The pattern of REGEXMATCH is too large')
  last = { pattern, modifiers, program }
  return program
}

function readModifiers(modifiers: string): Modifiers {
  if (!/^[imsx]*$/.test(modifiers)) throw wrongQuery('REGEXMATCH knows the modifiers i, m, s and x')
  return {
    ignoreCase: modifiers.includes('i'),
    multiline: modifiers.includes('m'),
    dotAll: modifiers.includes('s'),
    extended: modifiers.includes('x')
  }
}
