/** Options of a shared refresh. */
export interface SharedRefreshOptions<T> {
  readonly read: () => Promise<T>
  /** Minimum time between the beginnings of two reads. */
  readonly everyMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** A value that is read on first use, kept, and read again on demand. */
export interface SharedRefresh<T> {
  /** The kept value; read if there is none. */
  readonly get: () => Promise<T>
  /** Reads the value again; calls during a read, or while one is waiting, share it. */
  readonly refresh: () => Promise<T>
}

/** One read in flight, shared by all callers, and never more often than `everyMs`. A failed read is not kept. */
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
    // the clock may have been set back: never wait longer than one interval
    const wait = Math.min(everyMs, lastBegin + everyMs - now())
    if (wait > 0) await sleep(wait)
    lastBegin = now()
    const value = await read()
    kept = Promise.resolve(value)
    return value
  }

  return { get: () => kept ?? refresh(), refresh }
}
