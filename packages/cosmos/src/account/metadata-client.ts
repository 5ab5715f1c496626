import { CosmosClient, type CosmosClientOptions } from '@azure/cosmos'
import type { CompleteAccountOptions } from './account-options.ts'
import { errorOfSdk, errorWithoutAnswer } from './to-cosmos-error.ts'

/** The SDK's client, for metadata only. */
export interface MetadataClient {
  /** Runs one read; `what` completes the sentence of its error. */
  readonly read: <T>(what: string, read: (client: CosmosClient) => Promise<T>) => Promise<T>
  /** Forgets the client and all that it keeps: the next read begins with a new one. */
  readonly replace: () => void
}

const TIMEOUT_MS = 15_000

/** Keeps one client, and replaces it after a failed read: version 4.9.3 keeps the failure of a range read for ever. */
export function createMetadataClient(options: CompleteAccountOptions): MetadataClient {
  const timeoutMs = options.metadataTimeoutMs ?? TIMEOUT_MS
  let current: OwnClient | undefined

  function replace(): void {
    current?.end()
    current = undefined
  }

  async function read<T>(what: string, run: (client: CosmosClient) => Promise<T>): Promise<T> {
    current ??= createClient(options, timeoutMs)
    const used = current
    try {
      return await withDeadline(run(used.client), timeoutMs, what)
    } catch (error) {
      if (current === used) replace()
      throw errorOfSdk(what, error)
    }
  }

  return { read, replace }
}

interface OwnClient {
  readonly client: CosmosClient
  readonly end: () => void
}

function createClient({ endpoint, key, credential, preferredRegions, agent }: CompleteAccountOptions, timeoutMs: number): OwnClient {
  let isOver = false
  const known: CosmosClientOptions = {
    endpoint,
    ...(key === undefined ? {} : { key: typeof key === 'function' ? key() : key }),
    ...(credential === undefined ? {} : { aadCredentials: credential }),
    ...(agent === undefined ? {} : { agent }),
    connectionPolicy: {
      requestTimeout: timeoutMs,
      // the timer of the background refresh would keep a process alive
      enableBackgroundEndpointRefreshing: false,
      preferredLocations: [...(preferredRegions ?? [])]
    }
  }
  // a client that was disposed of goes on trying, for minutes, and keeps the process alive
  const plugin = (context: unknown, _diagnostics: unknown, next: (context: unknown) => Promise<unknown>): Promise<unknown> =>
    isOver ? Promise.reject(new Error('The client was closed.')) : next(context)
  const whole = { ...known, plugins: [{ on: 'request', plugin }] }
  const client = new CosmosClient(whole)
  return {
    client,
    end: () => {
      isOver = true
      client.dispose()
    }
  }
}

// The SDK tries an unreachable endpoint for longer than anybody waits, and has no switch for it.
async function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(errorWithoutAnswer(what, { code: `no answer in ${ms} ms` })), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
