/** A function of the query language. */
export interface BuiltinFunction {
  readonly min: number
  readonly max: number
  /** Takes the time of the query in milliseconds; the returned function gives undefined for values of a wrong type. */
  readonly bind: (nowMs: number | undefined) => Evaluate
}

/** Computes the result of a call from its arguments. */
export type Evaluate = (...values: unknown[]) => unknown

/** The functions of one kind, by their names in capitals. */
export type FunctionFamily = Readonly<Record<string, BuiltinFunction>>

/** A function with `min` to `max` arguments. */
export function takes(min: number, max: number, evaluate: Evaluate): BuiltinFunction {
  return { min, max, bind: () => evaluate }
}

/** A function of one number; a result that is not finite becomes undefined, since JSON has no such numbers. */
export function onNumber(compute: (value: number) => number): BuiltinFunction {
  return takes(1, 1, (value) => (typeof value === 'number' ? finite(compute(value)) : undefined))
}

/** A function of two numbers. */
export function onNumbers(compute: (left: number, right: number) => number): BuiltinFunction {
  return takes(2, 2, (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : undefined
  )
}

/** A function of one string. */
export function onText(compute: (text: string) => unknown): BuiltinFunction {
  return takes(1, 1, (value) => (typeof value === 'string' ? compute(value) : undefined))
}

/** The number, or undefined when it is not finite. */
export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
