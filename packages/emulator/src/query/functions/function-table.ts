import { arrayFunctions } from './array-functions.ts'
import type { BuiltinFunction } from './builtin-function.ts'
import { choiceFunctions } from './choice-functions.ts'
import { conversionFunctions } from './conversion-functions.ts'
import { dateFunctions } from './date-functions.ts'
import { numberFunctions } from './number-functions.ts'
import { stringFunctions } from './string-functions.ts'
import { typeFunctions } from './type-functions.ts'

/** All functions that queries may call, by their names in capitals. */
export const functionTable: ReadonlyMap<string, BuiltinFunction> = new Map(
  [typeFunctions, stringFunctions, conversionFunctions, numberFunctions, arrayFunctions, choiceFunctions, dateFunctions].flatMap((family) =>
    Object.entries(family)
  )
)

/** Functions of the service that this emulator does not have: a call is refused with 501, any other name with 400. */
export function isMissingFunction(name: string): boolean {
  return name.startsWith('ST_') || name.startsWith('INT') || MISSING.has(name)
}

const MISSING: ReadonlySet<string> = new Set(
  [
    'CONTAINS_ALL_CI CONTAINS_ALL_CS CONTAINS_ANY_CI CONTAINS_ANY_CS DATETIMEBIN DATETIMEFORMAT DCOUNT DOCUMENTID',
    'FULLTEXTCONTAINS FULLTEXTCONTAINSALL FULLTEXTCONTAINSANY FULLTEXTSCORE HASH LASTSUBSTRINGAFTER LASTSUBSTRINGBEFORE',
    'OBJECTUNION RAND RRF SUBSTRINGAFTER SUBSTRINGBEFORE VECTORDISTANCE'
  ].flatMap((line) => line.split(' '))
)
