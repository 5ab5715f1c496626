import { CosmosClient } from '@azure/cosmos'
import { type EmulatorOptions, startEmulator } from '@keystamp/emulator'

/** Endpoint and key of an emulator. */
export interface Account {
  readonly endpoint: string
  readonly key: string
}

/** Calls `run` with a new emulator and an official client for it. */
export async function emulated<T>(
  options: EmulatorOptions,
  run: (client: CosmosClient, account: Account) => Promise<T>
): Promise<T> {
  const emulator = await startEmulator(options)
  const client = new CosmosClient({
    endpoint: emulator.endpoint,
    key: emulator.key,
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  try {
    return await run(client, { endpoint: emulator.endpoint, key: emulator.key })
  } finally {
    client.dispose()
    await emulator.stop()
  }
}

/** The status code with which a request is answered. */
export async function statusOf(
  request: Promise<{ readonly statusCode?: number | undefined }>
): Promise<number | undefined> {
  try {
    return (await request).statusCode
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (typeof code === 'number') return code
    throw error
  }
}
