import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'

/**
 * One container, with the official client and with the writer. The emulator has a process of its own, so that only the
 * time of the client counts.
 */
export interface BenchContainer {
  readonly emulator: EmulatorProcess
  readonly container: Container
  readonly writer: Writer
}

export interface ContainerOptions {
  readonly emulator: Parameters<typeof startEmulatorProcess>[0]
  /** Default: the provisioned throughput. */
  readonly share?: number
}

export const LATENCY_MS = 5

/** No throttling, and the latency of an account in the same region. */
export const UNTHROTTLED: ContainerOptions = {
  emulator: { ruPerSecond: 40_000, throttle: false, latencyMs: LATENCY_MS },
  share: 10_000_000
}

export const DATABASE = 'bench'
export const CONTAINER = 'records'

/** Calls `work` with a new container, keyed by `/deviceId`, in a new emulator. */
export async function withContainer<T>(
  options: ContainerOptions,
  work: (target: BenchContainer) => Promise<T>
): Promise<T> {
  const emulator = await startEmulatorProcess({ ranges: 4, operationLog: 0, ...options.emulator })
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  let writer: Writer | undefined
  try {
    const { database } = await client.databases.create({ id: DATABASE })
    const partitionKey = { paths: ['/deviceId'], kind: PartitionKeyKind.Hash, version: 2 }
    const { container } = await database.containers.create({ id: CONTAINER, partitionKey })
    writer = await createWriter({
      endpoint,
      key,
      database: DATABASE,
      container: CONTAINER,
      share: options.share ?? '100%'
    })
    return await work({ emulator, container, writer })
  } finally {
    await writer?.close(0)
    client.dispose()
    await emulator.stop()
  }
}

/** Sends a request to the control path of the emulator. */
export async function control(
  { endpoint }: Pick<EmulatorProcess, 'endpoint'>,
  method: string,
  path: string,
  body?: object
): Promise<unknown> {
  const answer = await fetch(new URL(`/_control/${path}`, endpoint), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The emulator answered ${method} ${path} with ${answer.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
