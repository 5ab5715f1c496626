import type * as CosmosSdk from '@azure/cosmos'
import type { CompleteAccountOptions } from './account-options.ts'
import { CosmosError, errorOfSdk, errorWithoutAnswer } from './cosmos-error.ts'
import { createDirectReads, type DirectRead, type DirectReads } from './metadata-requests.ts'
import type { Signer } from './signer.ts'

/** Reads metadata by the SDK; with `metadataBy: 'direct'` only where a direct request failed and may succeed later. */
export interface MetadataClient {
  /** Runs one read; `what` completes the message of its error. */
  readonly read: <T>(what: string, ways: MetadataRead<T>) => Promise<T>
  /** Drops the SDK's client: the next read by the SDK begins with a new one. */
  readonly replace: () => void
  /** Ends all reads. */
  readonly close: () => void
}

/** Two ways to read the same metadata. */
export interface MetadataRead<T> {
  readonly direct: (reads: DirectReads, read: DirectRead) => Promise<T>
  /** Waits where it is throttled, and tries other regions. */
  readonly bySdk: (client: CosmosSdk.CosmosClient) => Promise<T>
}

const TIMEOUT_MS = 15_000

/**
 * Keeps one client of the SDK, and replaces it after a failed read: version 4.9.3 keeps the failure of a range read
 * forever.
 */
export function createMetadataClient(options: CompleteAccountOptions, signer: Signer): MetadataClient {
  const timeoutMs = options.metadataTimeoutMs ?? TIMEOUT_MS
  const reads = createDirectReads(options, signer)
  const underWay = new Set<AbortController>()
  let current: OwnClient | undefined
  let isClosed = false

  function replace(): void {
    current?.end()
    current = undefined
  }

  function close(): void {
    isClosed = true
    for (const call of underWay) call.abort(new Error('The client was closed.'))
    reads.close()
    replace()
  }

  async function read<T>(what: string, ways: MetadataRead<T>): Promise<T> {
    const ended = new AbortController()
    if (isClosed) ended.abort(new Error('The client was closed.'))
    underWay.add(ended)
    try {
      return await withDeadline(readEitherWay(what, ways, ended.signal), timeoutMs, what)
    } catch (error) {
      // after the deadline the answer is not needed
      ended.abort()
      throw error
    } finally {
      underWay.delete(ended)
    }
  }

  async function readEitherWay<T>(what: string, { direct, bySdk }: MetadataRead<T>, signal: AbortSignal): Promise<T> {
    if (options.metadataBy !== 'direct') return readBySdk(what, bySdk, signal)
    try {
      return await direct(reads, { what, signal })
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
    }
    return readBySdk(what, bySdk, signal)
  }

  async function readBySdk<T>(
    what: string,
    run: (client: CosmosSdk.CosmosClient) => Promise<T>,
    signal: AbortSignal
  ): Promise<T> {
    // imported on demand: loading takes a third of a second
    const sdk = await import('@azure/cosmos')
    if (signal.aborted) throw errorWithoutAnswer(what, signal.reason)
    current ??= createClient(sdk, options, timeoutMs)
    const used = current
    const end = (): void => {
      if (current === used) replace()
    }
    // the deadline ends its retries
    signal.addEventListener('abort', end)
    try {
      return await run(used.client)
    } catch (error) {
      end()
      throw errorOfSdk(what, error)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  return { read, replace, close }
}

/** Whether the error may pass. The SDK retries such errors; it would return any other error as is. */
function mayPass(error: unknown): boolean {
  return !(error instanceof CosmosError) || error.retriable
}

interface OwnClient {
  readonly client: CosmosSdk.CosmosClient
  readonly end: () => void
}

function createClient(
  { CosmosClient: Client }: typeof CosmosSdk,
  { endpoint, key, credential, preferredRegions, agent }: CompleteAccountOptions,
  timeoutMs: number
): OwnClient {
  let isOver = false
  const known: CosmosSdk.CosmosClientOptions = {
    endpoint,
    ...(key === undefined ? {} : { key: typeof key === 'function' ? key() : key }),
    ...(credential === undefined ? {} : { aadCredentials: credential }),
    ...(agent === undefined ? {} : { agent }),
    connectionPolicy: {
      requestTimeout: timeoutMs,
      // the timer of the background refresh would keep the process alive
      enableBackgroundEndpointRefreshing: false,
      preferredLocations: [...(preferredRegions ?? [])]
    }
  }
  // a disposed client keeps trying for minutes, and keeps the process alive
  const plugin = (
    context: unknown,
    _diagnostics: unknown,
    next: (context: unknown) => Promise<unknown>
  ): Promise<unknown> => (isOver ? Promise.reject(new Error('The client was closed.')) : next(context))
  const whole = { ...known, plugins: [{ on: 'request', plugin }] }
  const client = new Client(whole)
  return {
    client,
    end: () => {
      isOver = true
      client.dispose()
    }
  }
}

// The SDK tries an unreachable endpoint for very long, and has no option for it.
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
