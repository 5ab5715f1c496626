/** A record type with a text at a JSON pointer, where that is at the top; deeper ones leave the type as it is. */
export type WithText<R, Into extends string> = string extends Into
  ? R
  : Into extends `/${infer Name}`
    ? Name extends `${string}/${string}`
      ? R
      : R & { [Each in Name]: string }
    : R
