/** How a value is read, and how often at most. */
export interface SharedRefreshOptions<T> {
  readonly read: () => Promise<T>
  /** Least time between the beginnings of two reads. */
  readonly everyMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** A value that is read when first asked for, kept, and read anew on demand. */
export interface SharedRefresh<T> {
  /** The kept value; read if there is none. */
  readonly get: () => Promise<T>
  /** A value that is read now; whoever asks while a read is under way or waiting shares it. */
  readonly refresh: () => Promise<T>
}

/** One read in flight, shared by all who wait, and never more often than `everyMs`. A failed read is not kept. */
export function createSharedRefresh<T>({ read, everyMs, now, sleep }: SharedRefreshOptions<T>): SharedRefresh<T> {
  let kept: Promise<T> | undefined
  let pending: Promise<T> | undefined
  let lastBegin = Number.NEGATIVE_INFINITY

  function refresh(): Promise<T> {
    pending ??= readInTurn().finally(() => {
      pending = undefined
    })
    return pending
  }

  async function readInTurn(): Promise<T> {
    // the clock may have been set back: never wait longer than one turn
    const wait = Math.min(everyMs, lastBegin + everyMs - now())
    if (wait > 0) await sleep(wait)
    lastBegin = now()
    const value = await read()
    kept = Promise.resolve(value)
    return value
  }

  return { get: () => kept ?? refresh(), refresh }
}
