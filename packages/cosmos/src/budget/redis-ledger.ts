import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { KeystampError } from '@keystamp/core'
import type { Redis } from 'ioredis'
import { BURST_MS, COUNTED_MS, type Ledger, PACE } from './ledger.ts'

/** Thrown when the Redis of a shared budget cannot be used. */
class BudgetError extends KeystampError {
  override readonly retriable: boolean

  constructor(message: string, retriable: boolean, options?: { cause?: unknown }) {
    super('BUDGET_UNREACHABLE', message, options)
    this.retriable = retriable
  }
}

/**
 * Throws OPTION_INVALID unless the URL can be the address of a Redis. The message does not repeat the URL, because it
 * may contain a password.
 */
export function checkRedisAddress(url: string): void {
  if (/^rediss?:\/\/./.test(url) && URL.canParse(url)) return
  throw new KeystampError(
    'OPTION_INVALID',
    '`sharedThrough.redis` must be the address of a Redis, such as redis://localhost:6379.'
  )
}

/** Resolves when Redis answers. Rejects with BUDGET_UNREACHABLE, which is retriable if Redis did not answer. */
export async function openRedis(url: string): Promise<Redis> {
  const Client = await importClient()
  // null: commands wait and are repeated while Redis is unreachable
  const client = new Client(url, { maxRetriesPerRequest: null })
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(CONNECT_MS) })
  } catch (cause) {
    client.disconnect()
    throw unreachable(url, cause)
  }
  return client
}

const CONNECT_MS = 5000

async function importClient(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis
  } catch (cause) {
    throw new BudgetError('A shared budget needs the package `ioredis`, version 5: npm install ioredis@5.', false, {
      cause
    })
  }
}

// uses only the host, because the address may contain a password
function unreachable(url: string, cause: unknown): KeystampError {
  const { host } = new URL(url)
  const { name, message, code } = cause as NodeJS.ErrnoException
  // the message of Redis says what it needs, for example a password
  const isRefused = name === 'ReplyError'
  const why = typeof code === 'string' ? ` (${code})` : ''
  const what = isRefused ? `refuses us: ${message.replace(/\.$/, '')}` : `does not answer${why}`
  return new BudgetError(
    `Redis at ${host} ${what}. Check the address in \`sharedThrough\` (\`--redis\` of a load), or leave it out.`,
    !isRefused,
    { cause }
  )
}

/** Creates a ledger that all processes with the same budget name share. It uses the clock of Redis. */
export function createRedisLedger(client: Promise<Redis>, name: string, clock: string = REDIS_CLOCK): Ledger {
  const script = ledgerScript(clock)
  const us = randomUUID()
  const ready = client.then((redis) => {
    redis.defineCommand(COMMAND, { numberOfKeys: 1, lua: script })
    return redis as Redis & AsksLedger
  })
  // prevents an unhandled rejection; callers of `ask` get the error
  ready.catch(() => {})

  return {
    ask: async (rangeId, { id, minRu, maxRu, ruPerSecond, validMs, reports }) => {
      const redis = await ready
      const reported = reports.flatMap((report) => [`${us}:${report.id}`, report.afterMs, report.ru])
      const key = `keystamp:${name}:${rangeId}:ledger`
      const [ru, inMs] = await redis[COMMAND](
        key,
        `${us}:${id}`,
        minRu,
        maxRu,
        ruPerSecond,
        validMs,
        COUNTED_MS,
        ...reported
      )
      return { ru: Number(ru), inMs: Number(inMs) }
    }
  }
}

const COMMAND = 'keystampLedger'

interface AsksLedger {
  readonly [COMMAND]: (...parameters: readonly (string | number)[]) => Promise<readonly [string, string]>
}

const REDIS_CLOCK = `(function () local time = redis.call('TIME') return time[1] * 1000 + time[2] / 1000 end)()`

/**
 * Lua script of the ledger of one range. The ledger is a hash: each entry has the value `start until ru`, and `.` has
 * the value `seen shift due`. Returns the granted RU, and the milliseconds until the grant begins.
 */
function ledgerScript(clock: string): string {
  return `
local id, least, most, budget, valid, counted = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local now = ${clock}
local seen, shift, due = now, 0, now
local reports, entries, spent = {}, {}, 0
local function ms(ru) return ru / budget / ${PACE} * 1000 end
local function write(name, ...) redis.call('HSET', KEYS[1], name, string.format('%.17g %.17g %.17g', ...)) end

for i = 7, #ARGV, 3 do reports[ARGV[i]] = { after = tonumber(ARGV[i + 1]), ru = tonumber(ARGV[i + 2]) } end
reports[id] = { after = 0, ru = 0 }
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local a, b, c = string.match(all[i + 1], '(%S+) (%S+) (%S+)')
  a, b, c = tonumber(a), tonumber(b), tonumber(c)
  if all[i] == '.' then seen, shift, due = a, b, c else entries[#entries + 1] = { id = all[i], start = a, till = b, ru = c } end
end
-- a clock that was set back resumes from its last time
now = now + shift
if now < seen then
  shift = shift + seen - now
  now = seen
end

local kept = {}
for _, entry in ipairs(entries) do
  local report = reports[entry.id]
  if report then
    due = due + ms(report.ru - entry.ru)
    entry.ru = report.ru
    entry.till = math.min(entry.till, entry.start + report.after + counted)
  end
  if entry.till <= now or entry.ru <= 0 then
    redis.call('HDEL', KEYS[1], entry.id)
  else
    if report then write(entry.id, entry.start, entry.till, entry.ru) end
    kept[#kept + 1] = entry
    spent = spent + entry.ru
  end
end

if most == 0 then
  write('.', now, shift, due)
  return { '0', '0' }
end
-- pending grants are counted already, so small requests cannot starve large ones
local start = math.max(now, due - ${BURST_MS})
table.sort(kept, function (a, b) return a.till < b.till end)
for _, entry in ipairs(kept) do
  if entry.till > start and spent + math.min(least, budget) <= budget then break end
  start = math.max(start, entry.till)
  spent = spent - entry.ru
end
local granted = math.min(most, math.max(least, budget - spent))
write(id, start, start + valid + counted, granted)
write('.', now, shift, math.max(due, start) + ms(granted))
redis.call('PEXPIRE', KEYS[1], 60000)
return { string.format('%.17g', granted), string.format('%.17g', start - now) }
`
}
