import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'

/**
 * One container in an emulator of its own process, so that only the client's own time counts, and both ways into it.
 */
export interface Place {
  readonly emulator: EmulatorProcess
  readonly container: Container
  readonly writer: Writer
}

export interface PlaceOptions {
  readonly emulator: Parameters<typeof startEmulatorProcess>[0]
  /** Default: the provisioned throughput. */
  readonly share?: number
}

export const LATENCY_MS = 5

/** Nothing is refused, and every answer takes as long as one in the same region does. */
export const UNTHROTTLED: PlaceOptions = {
  emulator: { ruPerSecond: 40_000, throttle: false, latencyMs: LATENCY_MS },
  share: 10_000_000
}

export const DATABASE = 'bench'
export const CONTAINER = 'records'

/** Runs some work against a container keyed by `/deviceId`. */
export async function inPlace<T>(options: PlaceOptions, work: (place: Place) => Promise<T>): Promise<T> {
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

/** Asks the control path of the emulator. */
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
