import type { ContainerRequest, CosmosClient, OfferDefinition } from '@azure/cosmos'
import { emulated } from './emulated.ts'
import type { Shown } from './row.ts'

/** Throughput of a container and of a database, manual and autoscale, as the emulator sells it. */
export function bothOffers(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const shown: Shown[] = []
    for (const bought of [{ throughput: 1000 }, { maxThroughput: 4000 }]) {
      shown.push({ input: `a container with ${JSON.stringify(bought)}`, output: await containerOffer(client, bought) })
      shown.push({
        input: `a database with ${JSON.stringify(bought)}, a container with none`,
        output: await databaseOffer(client, bought)
      })
    }
    return shown
  })
}

type Bought = Pick<ContainerRequest, 'throughput' | 'maxThroughput'>

async function containerOffer(client: CosmosClient, bought: Bought): Promise<string> {
  const { database } = await client.databases.create({ id: nextName() })
  const { container } = await database.containers.create({ id: 'items', partitionKey: '/partitionKey', ...bought })
  const { resource } = await container.readOffer()
  return offerText(resource)
}

async function databaseOffer(client: CosmosClient, bought: Bought): Promise<string> {
  const { database } = await client.databases.create({ id: nextName(), ...bought })
  const { container } = await database.containers.create({ id: 'items', partitionKey: '/partitionKey' })
  const [own, shared] = [await container.readOffer(), await database.readOffer()]
  return `container: ${offerText(own.resource)}; database: ${offerText(shared.resource)}`
}

function offerText(offer: OfferDefinition | undefined): string {
  const content = offer?.content as
    | { offerThroughput?: number; offerAutopilotSettings?: { maxThroughput?: number } }
    | undefined
  if (content === undefined) return 'no offer of its own'
  const most = content.offerAutopilotSettings?.maxThroughput
  return most === undefined ? `${content.offerThroughput} RU/s` : `up to ${most} RU/s`
}

let databases = 0

function nextName(): string {
  databases++
  return `database-${databases}`
}
