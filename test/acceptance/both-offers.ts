import type { ContainerRequest, CosmosClient, OfferDefinition } from '@azure/cosmos'
import { emulated } from './emulated.ts'
import type { Shown } from './row.ts'

/** Throughput of a container and of a database, manual and autoscale, as the emulator reports it. */
export function bothOffers(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const shown: Shown[] = []
    for (const provisioned of [{ throughput: 1000 }, { maxThroughput: 4000 }]) {
      shown.push({
        input: `a container with ${JSON.stringify(provisioned)}`,
        output: await containerOffer(client, provisioned)
      })
      shown.push({
        input: `a database with ${JSON.stringify(provisioned)}, a container with none`,
        output: await databaseOffer(client, provisioned)
      })
    }
    return shown
  })
}

type Provisioned = Pick<ContainerRequest, 'throughput' | 'maxThroughput'>

async function containerOffer(client: CosmosClient, provisioned: Provisioned): Promise<string> {
  const { database } = await client.databases.create({ id: nextName() })
  const { container } = await database.containers.create({ id: 'items', partitionKey: '/partitionKey', ...provisioned })
  const { resource } = await container.readOffer()
  return offerText(resource)
}

async function databaseOffer(client: CosmosClient, provisioned: Provisioned): Promise<string> {
  const { database } = await client.databases.create({ id: nextName(), ...provisioned })
  const { container } = await database.containers.create({ id: 'items', partitionKey: '/partitionKey' })
  const [own, shared] = [await container.readOffer(), await database.readOffer()]
  return `container: ${offerText(own.resource)}; database: ${offerText(shared.resource)}`
}

function offerText(offer: OfferDefinition | undefined): string {
  const content = offer?.content as
    | { offerThroughput?: number; offerAutopilotSettings?: { maxThroughput?: number } }
    | undefined
  if (content === undefined) return 'no offer of its own'
  const maximum = content.offerAutopilotSettings?.maxThroughput
  return maximum === undefined ? `${content.offerThroughput} RU/s` : `up to ${maximum} RU/s`
}

let databases = 0

function nextName(): string {
  databases++
  return `database-${databases}`
}
