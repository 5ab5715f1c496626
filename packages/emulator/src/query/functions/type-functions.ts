import { isRecord } from '../json-value.ts'
import { type FunctionFamily, takes } from './builtin-function.ts'

/** Functions that ask for the type of a value; never undefined themselves. */
export const typeFunctions: FunctionFamily = {
  IS_ARRAY: takes(1, 1, (value) => Array.isArray(value)),
  IS_BOOL: takes(1, 1, (value) => typeof value === 'boolean'),
  // the same under the name that clients use when they go on in the middle of an order
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
