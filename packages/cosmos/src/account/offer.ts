import type { OfferResponse } from '@azure/cosmos'
import { isKeystampError } from '@keystamp/core'
import type { AccountOptions } from './account-options.ts'
import { CosmosError } from './cosmos-error.ts'
import type { MetadataClient } from './metadata-client.ts'

/** The throughput that was bought, or why it is not known. */
export type Offer = KnownOffer | { readonly unknown: string }

export interface KnownOffer {
  /** What may be spent in a second: of an autoscaling offer its maximum. */
  readonly ruPerSecond: number
  readonly autoscaleMax?: number
  /** A database's offer is shared by its containers. */
  readonly of: 'container' | 'database'
}

/** Reads what was bought for the container, or else for its database. Serverless accounts have no offer, and data roles may not read it. */
export async function readOffer(metadata: MetadataClient, { database, container }: AccountOptions): Promise<Offer> {
  try {
    const own = await metadata.read('reading the offer of the container', (client) =>
      client.database(database).container(container).readOffer()
    )
    const known = toOffer(own, 'container')
    if (known !== undefined) return known
    const shared = await metadata.read('reading the offer of the database', (client) => client.database(database).readOffer())
    return toOffer(shared, 'database') ?? { unknown: 'Neither the container nor its database has an offer.' }
  } catch (error) {
    if (!isKeystampError(error) || !(error instanceof CosmosError)) throw error
    if (error.statusCode === 403) return { unknown: 'This role may not read offers.' }
    if (error.statusCode === 400) return { unknown: 'The account is serverless: nothing was bought in advance.' }
    throw error
  }
}

function toOffer({ resource }: OfferResponse, of: KnownOffer['of']): KnownOffer | undefined {
  const content = resource?.content
  const autoscaleMax = content?.offerAutopilotSettings?.maxThroughput
  if (autoscaleMax !== undefined) return { ruPerSecond: autoscaleMax, autoscaleMax, of }
  return content?.offerThroughput === undefined ? undefined : { ruPerSecond: content.offerThroughput, of }
}
