import type * as CosmosSdk from '@azure/cosmos'
import type { CompleteAccountOptions } from './account-options.ts'
import { CosmosError, errorOfSdk, errorWithoutAnswer } from './cosmos-error.ts'
import { createDirectReads, type DirectRead, type DirectReads } from './metadata-requests.ts'
import type { Signer } from './signer.ts'

/**
 * Reads metadata with the SDK; with `metadataBy: 'direct'`, only if a direct request has failed and a retry may
 * succeed.
 */
export interface MetadataClient {
  /** Runs one read. `what` is a part of the error message. */
  readonly read: <T>(what: string, ways: MetadataRead<T>) => Promise<T>
  /** Drops the SDK's client: the next read with the SDK creates a new one. */
  readonly replace: () => void
  /** Ends all reads. */
  readonly close: () => void
}

/** Two ways to read the same metadata. */
export interface MetadataRead<T> {
  readonly direct: (reads: DirectReads, read: DirectRead) => Promise<T>
  /** Reads with the SDK, which retries after throttling and tries other regions. */
  readonly bySdk: (client: CosmosSdk.CosmosClient) => Promise<T>
}

const TIMEOUT_MS = 15_000

/**
 * Creates a metadata client. It keeps one client of the SDK, and replaces it after a failed read, because version 4.9.3
 * of the SDK keeps the failure of a range read forever.
 */
export function createMetadataClient(options: CompleteAccountOptions, signer: Signer): MetadataClient {
  const timeoutMs = options.metadataTimeoutMs ?? TIMEOUT_MS
  const reads = createDirectReads(options, signer)
  const running = new Set<AbortController>()
  let current: OwnClient | undefined
  let isClosed = false

  function replace(): void {
    current?.end()
    current = undefined
  }

  function close(): void {
    isClosed = true
    for (const call of running) call.abort(new Error('The client was closed.'))
    reads.close()
    replace()
  }

  async function read<T>(what: string, ways: MetadataRead<T>): Promise<T> {
    const ended = new AbortController()
    if (isClosed) ended.abort(new Error('The client was closed.'))
    running.add(ended)
    try {
      // on a slow machine, the import alone could take longer than an answer may
      if (options.metadataBy !== 'direct') await import('@azure/cosmos')
      return await withDeadline(readEitherWay(what, ways, ended.signal), timeoutMs, what)
    } catch (error) {
      // after the deadline, the read is not needed any more
      ended.abort()
      throw error
    } finally {
      running.delete(ended)
    }
  }

  async function readEitherWay<T>(what: string, { direct, bySdk }: MetadataRead<T>, signal: AbortSignal): Promise<T> {
    if (options.metadataBy !== 'direct') return readBySdk(what, bySdk, signal)
    try {
      return await direct(reads, { what, signal })
    } catch (error) {
      if (signal.aborted || !mayBeTemporary(error)) throw error
    }
    return readBySdk(what, bySdk, signal)
  }

  async function readBySdk<T>(
    what: string,
    run: (client: CosmosSdk.CosmosClient) => Promise<T>,
    signal: AbortSignal
  ): Promise<T> {
    // imported only when needed, because the import takes a third of a second
    const sdk = await import('@azure/cosmos')
    if (signal.aborted) throw errorWithoutAnswer(what, signal.reason)
    current ??= createClient(sdk, options, timeoutMs)
    const used = current
    const end = (): void => {
      if (current === used) replace()
    }
    // an abort ends the retries of the SDK
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

/** Whether the error may be temporary. The SDK retries such errors; for any other error it would only fail again. */
function mayBeTemporary(error: unknown): boolean {
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
      // disabled, because the timer of the background refresh would keep the process alive
      enableBackgroundEndpointRefreshing: false,
      preferredLocations: [...(preferredRegions ?? [])]
    }
  }
  // ends the retries of a disposed client, which would go on for minutes and keep the process alive
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

// The SDK retries an unreachable endpoint for a very long time, and has no option to limit it.
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
