import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { KeystampError } from '@keystamp/core'

/** Resolves when Redis answers; rejects with BUDGET_UNREACHABLE. */
export async function openRedis(url: string): Promise<Redis> {
  const Client = await importClient()
  // null: what was asked while Redis is away is asked again when it is back
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
    throw new KeystampError('BUDGET_UNREACHABLE', 'A shared budget needs the package `ioredis`, version 5: npm install ioredis@5.', {
      cause
    })
  }
}

// the address may carry a password
function unreachable(url: string, cause: unknown): KeystampError {
  const host = URL.canParse(url) ? new URL(url).host : 'the given address'
  // Redis says itself what it wants, a password for example
  const { name, message } = cause as Error
  const what = name === 'ReplyError' ? `refuses us: ${message.replace(/\.$/, '')}` : 'does not answer'
  return new KeystampError('BUDGET_UNREACHABLE', `Redis at ${host} ${what}. Check the address, or lease without \`shared\`.`, { cause })
}
