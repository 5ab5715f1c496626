import { isKeystampError } from '@keystamp/core'
import { CosmosError } from './cosmos-error.ts'
import type { MetadataClient } from './metadata-client.ts'

/** The provisioned throughput, or the reason why it is not known. */
export type Offer = KnownOffer | { readonly unknown: string }

export interface KnownOffer {
  /** RU per second; for autoscale, the maximum. */
  readonly ruPerSecond: number
  readonly autoscaleMax?: number
  /** The offer of a database is shared by its containers. */
  readonly of: 'container' | 'database'
}

/** The container whose offer is read. */
export interface OfferOwner {
  readonly database: string
  readonly container: string
  /** `dbs/<rid>/colls/<rid>/`. */
  readonly selfLink: string
}

/**
 * Reads the provisioned throughput of the container, or of its database if the container has none. Serverless accounts
 * have no offer, and data roles may not read offers.
 */
export async function readOffer(
  metadata: MetadataClient,
  { database, container, selfLink }: OfferOwner
): Promise<Offer> {
  try {
    const own = await metadata.read('reading the offer of the container', {
      direct: async (reads, read) => firstOf(await reads.offers(selfLink, read)),
      bySdk: async (client) => (await client.database(database).container(container).readOffer()).resource
    })
    const known = toOffer(own, 'container')
    if (known !== undefined) return known
    const shared = await metadata.read('reading the offer of the database', {
      direct: async (reads, read) => firstOf(await reads.offers(databaseLinkIn(selfLink), read)),
      bySdk: async (client) => (await client.database(database).readOffer()).resource
    })
    return toOffer(shared, 'database') ?? { unknown: 'Neither the container nor its database has an offer.' }
  } catch (error) {
    if (!isKeystampError(error) || !(error instanceof CosmosError)) throw error
    if (error.statusCode === 403) return { unknown: 'This role may not read offers.' }
    if (error.statusCode === 400) return { unknown: 'The account is serverless: it has no provisioned throughput.' }
    throw error
  }
}

/** The part of an offer's JSON that Keystamp uses. */
export interface OfferJson {
  readonly content?: {
    readonly offerThroughput?: number
    readonly offerAutopilotSettings?: { readonly maxThroughput?: number }
  }
}

function firstOf(answer: unknown): OfferJson | undefined {
  return (answer as { readonly Offers: readonly OfferJson[] }).Offers[0]
}

/** `dbs/<rid>/` of `dbs/<rid>/colls/<rid>/`. */
export function databaseLinkIn(selfLink: string): string {
  return selfLink.slice(0, selfLink.indexOf('colls/'))
}

/** Converts an offer's JSON; undefined if there is none, or if it names no throughput. */
export function toOffer(offer: OfferJson | undefined, of: KnownOffer['of']): KnownOffer | undefined {
  const content = offer?.content
  const autoscaleMax = content?.offerAutopilotSettings?.maxThroughput
  if (autoscaleMax !== undefined) return { ruPerSecond: autoscaleMax, autoscaleMax, of }
  return content?.offerThroughput === undefined ? undefined : { ruPerSecond: content.offerThroughput, of }
}
