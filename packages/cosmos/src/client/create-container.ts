import { KeystampError } from '@keystamp/core'
import { type AccountOptions, checkAccountOptions } from './account-options.ts'
import { errorOfSdk } from './cosmos-error.ts'

/** Throughput of a new container: RU/s, or the maximum of autoscale; none for a serverless account. */
export type NewThroughput = { readonly manual: number } | { readonly autoscaleMax: number }

/**
 * Creates a container in a database that exists. `definition`: the JSON of Cosmos DB, with `partitionKey`. Resolves with
 * false if there is a container with this name. Needs an account key: roles of the data plane cannot create containers.
 */
export async function createContainer(
  given: AccountOptions,
  definition: Readonly<Record<string, unknown>>,
  throughput?: NewThroughput
): Promise<boolean> {
  const { endpoint, key, credential, agent, database, container } = checkAccountOptions(given)
  // imported only when needed, because the import takes a third of a second
  const { CosmosClient } = await import('@azure/cosmos')
  const client = new CosmosClient({
    endpoint,
    ...(key === undefined ? {} : { key: typeof key === 'function' ? key() : key }),
    ...(credential === undefined ? {} : { aadCredentials: credential }),
    ...(agent === undefined ? {} : { agent }),
    connectionPolicy: { enableBackgroundEndpointRefreshing: false }
  })
  try {
    await client.database(database).containers.create({
      ...definition,
      id: container,
      ...(throughput === undefined
        ? {}
        : 'manual' in throughput
          ? { throughput: throughput.manual }
          : { maxThroughput: throughput.autoscaleMax })
    })
    return true
  } catch (error) {
    const { code } = error as { readonly code?: unknown }
    if (code === 409) return false
    if (code === 404)
      throw new KeystampError(
        'CONTAINER_MISSING',
        `The database ${database} at ${new URL(endpoint).host} does not exist: create it first.`
      )
    throw errorOfSdk(`creating the container ${database}/${container} at ${new URL(endpoint).host}`, error)
  } finally {
    client.dispose()
  }
}
