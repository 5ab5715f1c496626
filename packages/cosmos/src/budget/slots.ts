import Bottleneck from 'bottleneck'
import type { Redis } from 'ioredis'

interface SlotsOptions {
  /** Minimum time between two slots of a range. */
  readonly everyMs: number
  readonly shared?: SharedSlots | undefined
  readonly onError?: ((error: Error) => void) | undefined
}

/** Slots that several processes share. */
interface SharedSlots {
  readonly name: string
  readonly client: Promise<Redis>
}

/** Times at which a range may get its next slice. */
export interface Slots {
  readonly ready: Promise<void>
  readonly next: (rangeId: string) => Promise<void>
  readonly retire: (rangeId: string) => void
  readonly close: () => Promise<void>
}

/**
 * Creates one limiter of Bottleneck for each range. It uses only a minimum time between jobs: a reservoir would let two
 * windows pass at once, and only a heartbeat every 5 seconds fills a shared reservoir.
 */
export function createSlots({ everyMs, shared, onError }: SlotsOptions): Slots {
  const limiters = new Map<string, Bottleneck>()
  let connection: Bottleneck.IORedisConnection | undefined
  const waiting = new Set<Promise<void>>()
  let isClosed = false
  const ready = shared === undefined ? Promise.resolve() : connect(shared)
  // prevents an unhandled rejection; callers of `next` and of `ready` get the error
  ready.catch(() => {})

  async function connect({ client }: SharedSlots): Promise<void> {
    connection = new Bottleneck.IORedisConnection({ client: withRedisClock(withPlainReports(await client)) })
    connection.on('error', report)
  }

  // jobs that are running when the lease is closed end with an error, which is expected
  function report(error: Error): void {
    if (!isClosed) onError?.(error)
  }

  function limiterOf(rangeId: string): Bottleneck {
    let limiter = limiters.get(rangeId)
    if (limiter === undefined) {
      limiter = new Bottleneck({
        minTime: everyMs,
        ...(shared === undefined ? {} : clusterOptions(shared, rangeId, connection!))
      })
      limiter.on('error', report)
      limiters.set(rangeId, limiter)
    }
    return limiter
  }

  return {
    ready,
    next: async (rangeId) => {
      await ready
      const slot = limiterOf(rangeId).schedule(nothing)
      waiting.add(slot)
      try {
        await slot
      } finally {
        waiting.delete(slot)
      }
    },
    retire: (rangeId) => {
      // a limiter that shares a connection leaves it open
      void limiters.get(rangeId)?.disconnect(false)
      limiters.delete(rangeId)
    },
    close: async () => {
      isClosed = true
      // waits for the jobs, because an interrupted job would end the process with a rejection that cannot be caught
      await withTimeout(Promise.allSettled(waiting))
      await Promise.allSettled([...limiters.values()].map((limiter) => limiter.disconnect(false)))
      limiters.clear()
      if (connection === undefined) return
      const isDone = await withTimeout(connection.disconnect(true))
      if (!isDone) await connection.disconnect(false)
    }
  }
}

const KEEP_IN_REDIS_MS = 600_000

function clusterOptions(
  { name }: SharedSlots,
  rangeId: string,
  connection: Bottleneck.IORedisConnection
): Bottleneck.ConstructorOptions {
  return { id: `keystamp:${name}:${rangeId}`, datastore: 'ioredis', connection, timeout: KEEP_IN_REDIS_MS }
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

const CLOSE_MS = 1000

async function withTimeout(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), CLOSE_MS)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Removes `ERR`, which Redis writes before an error of a script since version 7. Bottleneck recognizes two errors by
 * their whole text: Redis does not know the limiter, or the client. After these two, Bottleneck starts again; any other
 * error ends its job and the process.
 */
function withPlainReports(client: Redis): Redis {
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command, stream) => {
    const { reject } = command
    command.reject = (error) => reject(plain(error))
    return send(command, stream)
  }
  return client
}

const REPORT = /^ERR (SETTINGS_KEY_NOT_FOUND|UNKNOWN_CLIENT)\b/

function plain(error: Error): Error {
  const report = REPORT.exec(error.message)?.[1]
  return report === undefined ? error : new Error(report, { cause: error })
}

/**
 * Makes the scripts of Bottleneck use the clock of Redis. Bottleneck itself passes the client's time to Redis, and a
 * client with a slow clock would wait for the difference at each slot.
 */
function withRedisClock(client: Redis): Redis {
  const define = client.defineCommand.bind(client)
  client.defineCommand = (name, definition) =>
    define(name, { ...definition, lua: definition.lua.replace(CLIENT_TIME, REDIS_TIME) })
  return client
}

const CLIENT_TIME = 'local now = tonumber(ARGV[1])'
const REDIS_TIME = `local time = redis.call('TIME')\nlocal now = math.floor(time[1] * 1000 + time[2] / 1000)`
