import { type Container, type ContainerRequest, type CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'

/** Creates the container `items` in the database `articles`. */
export async function newContainer(
  client: CosmosClient,
  provisioned: Pick<ContainerRequest, 'throughput'> = {},
  path = '/partitionKey'
): Promise<Container> {
  const { database } = await client.databases.createIfNotExists({ id: 'articles' })
  const partitionKey = { paths: [path], version: PartitionKeyDefinitionVersion.V2 }
  const { container } = await database.containers.create({ id: 'items', partitionKey, ...provisioned })
  return container
}

/** Changes the provisioned throughput of a container. */
export async function raiseThroughput(client: CosmosClient, container: Container, ruPerSecond: number): Promise<void> {
  const { resource } = await container.readOffer()
  if (resource === undefined) throw new Error('The container has no offer of its own.')
  const content = { offerIsRUPerMinuteThroughputEnabled: false, ...resource.content, offerThroughput: ruPerSecond }
  await client.offer(resource.id).replace({ ...resource, content })
}

/** Number of physical partitions of a container. */
export async function rangeCount(container: Container): Promise<number> {
  const { resources } = await container.readPartitionKeyRanges().fetchAll()
  return resources.length
}
