/** A function of the query language: how many values it takes and what it makes of them. */
export interface BuiltinFunction {
  readonly least: number
  readonly most: number
  /** Given the time of the query in milliseconds; gives undefined for values of a wrong type. */
  readonly bind: (nowMs: number | undefined) => Evaluate
}

/** What a call computes from its values. */
export type Evaluate = (...values: unknown[]) => unknown

/** The functions of one kind, by their names in capitals. */
export type FunctionFamily = Readonly<Record<string, BuiltinFunction>>

/** A function of `least` to `most` values. */
export function takes(least: number, most: number, evaluate: Evaluate): BuiltinFunction {
  return { least, most, bind: () => evaluate }
}

/** A function of one number; what is not finite is undefined, since JSON cannot hold it. */
export function onNumber(compute: (value: number) => number): BuiltinFunction {
  return takes(1, 1, (value) => (typeof value === 'number' ? finite(compute(value)) : undefined))
}

/** A function of two numbers. */
export function onNumbers(compute: (left: number, right: number) => number): BuiltinFunction {
  return takes(2, 2, (left, right) => (typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined))
}

/** A function of one text. */
export function onText(compute: (text: string) => unknown): BuiltinFunction {
  return takes(1, 1, (value) => (typeof value === 'string' ? compute(value) : undefined))
}

/** The number, or undefined when JSON cannot hold it. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
