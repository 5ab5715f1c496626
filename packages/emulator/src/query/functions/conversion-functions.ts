import { isRecord, isTooDeep } from '../json-value.ts'
import { boundText } from '../text-bound.ts'
import { type FunctionFamily, finite, onText, takes } from './builtin-function.ts'

/** Functions between texts and other types. */
export const conversionFunctions: FunctionFamily = {
  STRINGTOARRAY: onText((text) => keepIf(Array.isArray, parseJson(text))),
  STRINGTOBOOLEAN: onText((text) => BOOLEANS.get(text.trim())),
  STRINGTONULL: onText((text) => (text.trim() === 'null' ? null : undefined)),
  STRINGTONUMBER: onText((text) => (NUMBER.test(text) ? finite(Number(text)) : undefined)),
  STRINGTOOBJECT: onText((text) => keepIf(isRecord, parseJson(text))),
  TOSTRING: takes(1, 1, (value) => toText(value))
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false]
])

const NUMBER = /^\s*-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isTooDeep(value) ? undefined : value
  } catch {
    // text that is no JSON converts to undefined, as every wrong type does
    return undefined
  }
}

function keepIf(test: (value: unknown) => boolean, value: unknown): unknown {
  return test(value) ? value : undefined
}

function toText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  const text = JSON.stringify(value)
  boundText(text.length)
  return text
}
