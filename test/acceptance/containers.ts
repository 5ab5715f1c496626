import { type Container, type ContainerRequest, type CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'

/** A container named `items` in a database named `articles`. */
export async function newContainer(
  client: CosmosClient,
  bought: Pick<ContainerRequest, 'throughput'> = {},
  path = '/partitionKey'
): Promise<Container> {
  const { database } = await client.databases.createIfNotExists({ id: 'articles' })
  const partitionKey = { paths: [path], version: PartitionKeyDefinitionVersion.V2 }
  const { container } = await database.containers.create({ id: 'items', partitionKey, ...bought })
  return container
}

/** Buys another throughput for a container. */
export async function raiseThroughput(client: CosmosClient, container: Container, ruPerSecond: number): Promise<void> {
  const { resource } = await container.readOffer()
  if (resource === undefined) throw new Error('The container has no offer of its own.')
  const content = { offerIsRUPerMinuteThroughputEnabled: false, ...resource.content, offerThroughput: ruPerSecond }
  await client.offer(resource.id).replace({ ...resource, content })
}

/** How many physical partitions a container has. */
export async function rangeCount(container: Container): Promise<number> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll()
  return resources.length
}
