import { type BuiltinFunction, type FunctionFamily, takes } from './builtin-function.ts'
import { dateFunctions } from './date-functions.ts'
import { MAX_ARGUMENTS } from './limits.ts'
import { arrayFunctions, numberFunctions } from './number-functions.ts'
import { conversionFunctions, stringFunctions } from './string-functions.ts'
import { isRecord } from './values.ts'

/** Functions that return one of their arguments. */
const choiceFunctions: FunctionFamily = {
  CHOOSE: takes(2, MAX_ARGUMENTS, (index, ...values) =>
    Number.isInteger(index) && (index as number) > 0 ? values[(index as number) - 1] : undefined
  ),
  IIF: takes(3, 3, (test, yes, no) => (test === true ? yes : no))
}

/** Functions that test the type of a value; their result is never undefined. */
const typeFunctions: FunctionFamily = {
  IS_ARRAY: takes(1, 1, (value) => Array.isArray(value)),
  IS_BOOL: takes(1, 1, (value) => typeof value === 'boolean'),
  // clients use this name when they resume a query with ORDER BY
  IS_BOOLEAN: takes(1, 1, (value) => typeof value === 'boolean'),
  IS_DEFINED: takes(1, 1, (value) => value !== undefined),
  IS_FINITE_NUMBER: takes(1, 1, (value) => Number.isFinite(value)),
  IS_INTEGER: takes(1, 1, (value) => Number.isInteger(value)),
  IS_NULL: takes(1, 1, (value) => value === null),
  IS_NUMBER: takes(1, 1, (value) => typeof value === 'number'),
  IS_OBJECT: takes(1, 1, (value) => isRecord(value)),
  IS_PRIMITIVE: takes(1, 1, (value) => value === null || ['boolean', 'number', 'string'].includes(typeof value)),
  IS_STRING: takes(1, 1, (value) => typeof value === 'string')
}

/** All functions that queries may call, by their names in capitals. */
export const functionTable: ReadonlyMap<string, BuiltinFunction> = new Map(
  [
    typeFunctions,
    stringFunctions,
    conversionFunctions,
    numberFunctions,
    arrayFunctions,
    choiceFunctions,
    dateFunctions
  ].flatMap((family) => Object.entries(family))
)

/** Functions of the service that this emulator does not have: a call is refused with 501, any other name with 400. */
export function isMissingFunction(name: string): boolean {
  return name.startsWith('ST_') || name.startsWith('INT') || MISSING.has(name)
}

const MISSING: ReadonlySet<string> = new Set(
  [
    'CONTAINS_ALL_CI CONTAINS_ALL_CS CONTAINS_ANY_CI CONTAINS_ANY_CS DATETIMEBIN DATETIMEFORMAT DCOUNT DOCUMENTID',
    'FULLTEXTCONTAINS FULLTEXTCONTAINSALL FULLTEXTCONTAINSANY FULLTEXTSCORE HASH LASTSUBSTRINGAFTER LASTSUBSTRINGBEFORE',
    'OBJECTUNION RAND RRF SUBSTRINGAFTER SUBSTRINGBEFORE'
  ].flatMap((line) => line.split(' '))
)
