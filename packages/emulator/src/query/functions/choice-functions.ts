import { type FunctionFamily, takes } from './builtin-function.ts'
import { MAX_ARGUMENTS } from '../limits.ts'

/** Functions that pick one of their values. */
export const choiceFunctions: FunctionFamily = {
  CHOOSE: takes(2, MAX_ARGUMENTS, (index, ...values) =>
    Number.isInteger(index) && (index as number) > 0 ? values[(index as number) - 1] : undefined
  ),
  IIF: takes(3, 3, (test, yes, no) => (test === true ? yes : no))
}
