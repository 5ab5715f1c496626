import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { COUNTED_MS, type Ledger } from './ledger.ts'
import { ledgerScript } from './ledger-script.ts'

/** A ledger that all who name the same budget keep together; its clock is that of Redis. */
export function createRedisLedger(client: Promise<Redis>, name: string, clock: string = REDIS_CLOCK): Ledger {
  const script = ledgerScript(clock)
  const us = randomUUID()
  const ready = client.then((redis) => {
    redis.defineCommand(COMMAND, { numberOfKeys: 1, lua: script })
    return redis as Redis & AsksLedger
  })
  // whoever asks is told
  ready.catch(() => {})

  return {
    ask: async (rangeId, { id, leastRu, mostRu, ruPerSecond, validMs, reports }) => {
      const redis = await ready
      const told = reports.flatMap((report) => [`${us}:${report.id}`, report.afterMs, report.ru])
      const key = `keystamp:${name}:${rangeId}:ledger`
      const [ru, inMs] = await redis[COMMAND](key, `${us}:${id}`, leastRu, mostRu, ruPerSecond, validMs, COUNTED_MS, ...told)
      return { ru: Number(ru), inMs: Number(inMs) }
    }
  }
}

const COMMAND = 'keystampLedger'

interface AsksLedger {
  readonly [COMMAND]: (...parameters: readonly (string | number)[]) => Promise<readonly [string, string]>
}

const REDIS_CLOCK = `(function () local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 end)()`
