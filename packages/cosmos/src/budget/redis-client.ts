import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { KeystampError } from '@keystamp/core'

/** Thrown when the Redis of a shared budget cannot be used. */
class BudgetError extends KeystampError {
  override readonly retriable: boolean

  constructor(message: string, retriable: boolean, options?: { cause?: unknown }) {
    super('BUDGET_UNREACHABLE', message, options)
    this.retriable = retriable
  }
}

/** Throws OPTION_INVALID unless the URL can be the address of a Redis. It may carry a password, so no message repeats it. */
export function checkRedisAddress(url: string): void {
  if (/^rediss?:\/\/./.test(url) && URL.canParse(url)) return
  throw new KeystampError('OPTION_INVALID', '`sharedThrough.redis` must be the address of a Redis, such as redis://localhost:6379.')
}

/** Resolves when Redis answers; rejects with BUDGET_UNREACHABLE, retriable when Redis did not answer. */
export async function openRedis(url: string): Promise<Redis> {
  const Client = await importClient()
  // null: repeats commands after Redis was unreachable
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
    throw new BudgetError('A shared budget needs the package `ioredis`, version 5: npm install ioredis@5.', false, { cause })
  }
}

// the address may carry a password
function unreachable(url: string, cause: unknown): KeystampError {
  const { host } = new URL(url)
  const { name, message, code } = cause as NodeJS.ErrnoException
  // Redis itself says what it needs, for example a password
  const isRefused = name === 'ReplyError'
  const why = typeof code === 'string' ? ` (${code})` : ''
  const what = isRefused ? `refuses us: ${message.replace(/\.$/, '')}` : `does not answer${why}`
  return new BudgetError(
    `Redis at ${host} ${what}. Check the address in \`sharedThrough\` (\`--redis\` of a load), or leave it out.`,
    !isRefused,
    { cause }
  )
}
