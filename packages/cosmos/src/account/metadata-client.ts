import { CosmosClient } from '@azure/cosmos'
import type { AccountOptions } from './account-options.ts'
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
export function createMetadataClient(options: AccountOptions): MetadataClient {
  const timeoutMs = options.metadataTimeoutMs ?? TIMEOUT_MS
  let client: CosmosClient | undefined

  function replace(): void {
    client?.dispose()
    client = undefined
  }

  async function read<T>(what: string, run: (client: CosmosClient) => Promise<T>): Promise<T> {
    client ??= createClient(options)
    const used = client
    try {
      return await withDeadline(run(used), timeoutMs, what)
    } catch (error) {
      if (client === used) replace()
      throw errorOfSdk(what, error)
    }
  }

  return { read, replace }
}

function createClient({ endpoint, key, credential, preferredRegions, agent }: AccountOptions): CosmosClient {
  return new CosmosClient({
    endpoint,
    ...(key === undefined ? {} : { key }),
    ...(credential === undefined ? {} : { aadCredentials: credential }),
    ...(agent === undefined ? {} : { agent }),
    // the timer of the background refresh would keep a process alive
    connectionPolicy: { enableBackgroundEndpointRefreshing: false, preferredLocations: [...(preferredRegions ?? [])] }
  })
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
