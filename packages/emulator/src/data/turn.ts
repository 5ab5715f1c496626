/** A promise that other code settles. */
export interface Turn {
  readonly written: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** Creates a promise that other code settles; its rejection may stay without a handler. */
export function newTurn(): Turn {
  let turn: Turn | undefined = undefined
  const written = new Promise<void>((resolve, reject) => {
    turn = { resolve, reject } as Turn
  })
  // a change that a timer made has no request that waits
  written.catch(() => undefined)
  return Object.assign(turn!, { written })
}
