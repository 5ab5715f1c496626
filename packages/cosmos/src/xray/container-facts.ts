import type { PartitionKeyRange } from '@azure/cosmos'
import {
  type ContainerDefinition,
  type ContainerJson,
  selfLinkIn,
  toContainerDefinition,
  toContainerRanges
} from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import { stringIn } from '../client/http-client.ts'
import { databaseLinkIn, type KnownOffer, type OfferJson, toOffer } from '../client/offer.ts'
import type { XrayAnswer, XrayRequests } from './xray-requests.ts'

/** Something that could not be read, and why. */
export interface Unseen {
  readonly what: 'statistics' | 'offer' | 'quota'
  readonly reason: string
}

/** Largest keys of a physical partition, as its statistics name them. */
export interface KeySize {
  /** Values of the partition key, one for each level. */
  readonly values: readonly unknown[]
  readonly bytes: number
}

/** Statistics of a physical partition, which are approximate. */
export interface RangeStatistics {
  readonly bytes: number
  readonly documents: number
  readonly sampledKeys: number | null
  /** Largest first. The service may leave out keys below about 1 GB. */
  readonly largestKeys: readonly KeySize[]
}

export interface RangeFacts {
  readonly id: string
  readonly min: string
  readonly max: string
  readonly parents: readonly string[]
  /** Part of the provisioned throughput that the range may use. */
  readonly throughputFraction: number
  readonly statistics: RangeStatistics | null
}

/** Facts about a container from the data plane, without its documents. */
export interface ContainerFacts {
  readonly definition: ContainerDefinition
  /** Properties of the container's JSON other than its id and partition key, such as `indexingPolicy`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Sorted by `min`. */
  readonly ranges: readonly RangeFacts[]
  /** Null if it is unknown. */
  readonly offer: KnownOffer | null
  /** Whether the account refused the offer because it is serverless. */
  readonly isServerless: boolean
  /** Documents and bytes of the container; null if unknown. */
  readonly documents: number | null
  readonly bytes: number | null
  readonly unseen: readonly Unseen[]
}

const METADATA_RU = 2

/** Reads definition, statistics, quota, ranges and offer. Goes on without what the service does not tell. */
export async function readContainerFacts(requests: XrayRequests, name: string): Promise<ContainerFacts> {
  const answer = await readContainer(requests, name)
  const json = answer.json as StatisticsJson
  const ranges = await readRanges(requests, name)
  const { offer, isServerless, unseen } = await readOffer(requests, selfLinkIn(json) ?? '')
  const statistics = statisticsByRange(json)
  const usage = usageIn(stringIn(answer.headers['x-ms-resource-usage']))
  const isComplete = ranges.every(({ id }) => statistics.has(id))
  const sumOf = (pick: (each: RangeStatistics) => number): number | null =>
    isComplete ? [...statistics.values()].reduce((sum, each) => sum + pick(each), 0) : null
  return {
    definition: toContainerDefinition(json),
    settings: settingsIn(json),
    ranges: ranges.map((range) => ({ ...range, statistics: statistics.get(range.id) ?? null })),
    offer,
    isServerless,
    documents: sumOf(({ documents }) => documents) ?? usage?.documents ?? null,
    bytes: sumOf(({ bytes }) => bytes) ?? usage?.bytes ?? null,
    unseen: [
      ...unseen,
      ...(isComplete ? [] : [{ what: 'statistics' as const, reason: WITHOUT_STATISTICS }]),
      ...(usage === undefined ? [{ what: 'quota' as const, reason: WITHOUT_QUOTA }] : [])
    ]
  }
}

const WITHOUT_STATISTICS =
  'The service answered without statistics of the physical partitions: sizes of partitions and keys are unknown.'
const WITHOUT_QUOTA = 'The service did not tell the number of documents and their size.'

/** The container's JSON with the statistics of its physical partitions. */
interface StatisticsJson extends ContainerJson {
  readonly statistics?: readonly {
    readonly id?: string
    readonly sizeInKB?: number
    readonly documentCount?: number
    readonly sampledDistinctPartitionKeyCount?: number
    readonly partitionKeys?: readonly { readonly partitionKey?: readonly unknown[]; readonly sizeInKB?: number }[]
  }[]
}

/** Properties that are no settings: identity, links and statistics. */
const NO_SETTINGS = new Set(['id', 'partitionKey', 'statistics'])

function settingsIn(json: StatisticsJson): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(json).filter(([name]) => !name.startsWith('_') && !NO_SETTINGS.has(name)))
}

/** Reads the container with its statistics; without them, if the service refuses to tell them. */
async function readContainer(requests: XrayRequests, name: string): Promise<XrayAnswer> {
  const what = `reading the container ${name}`
  const headers = {
    'x-ms-documentdb-populatepartitionstatistics': 'true',
    'x-ms-cosmos-internal-get-all-partition-key-stats': 'true',
    'x-ms-documentdb-populatequotainfo': 'true'
  }
  try {
    return await requests.send({ what, kind: 'container', headers, expectedRu: METADATA_RU })
  } catch (error) {
    // a refusal of the statistics, which a plain read does not get
    if (!(error instanceof CosmosError) || ![400, 403].includes(error.statusCode ?? 0)) throw error
    return requests.send({ what, kind: 'container', expectedRu: METADATA_RU })
  }
}

function statisticsByRange({ statistics = [] }: StatisticsJson): ReadonlyMap<string, RangeStatistics> {
  return new Map(
    statistics.flatMap(({ id, sizeInKB, documentCount, sampledDistinctPartitionKeyCount, partitionKeys = [] }) => {
      if (id === undefined || sizeInKB === undefined) return []
      const largestKeys = partitionKeys
        .map(({ partitionKey = [], sizeInKB: kilobytes = 0 }) => ({ values: partitionKey, bytes: kilobytes * KB }))
        .toSorted((a, b) => b.bytes - a.bytes)
      const found = {
        bytes: sizeInKB * KB,
        documents: documentCount ?? 0,
        sampledKeys: sampledDistinctPartitionKeyCount ?? null,
        largestKeys
      }
      return [[id, found] as const]
    })
  )
}

const KB = 1024

/** `documentsSize` (KB) and `documentsCount` of the header x-ms-resource-usage. */
function usageIn(header: string | undefined): { readonly documents: number; readonly bytes: number } | undefined {
  const numberOf = (name: string): number => Number(new RegExp(`(?:^|;)${name}=(\\d+)`).exec(header ?? '')?.[1])
  const [documents, kilobytes] = [numberOf('documentsCount'), numberOf('documentsSize')]
  return Number.isNaN(documents) || Number.isNaN(kilobytes) ? undefined : { documents, bytes: kilobytes * KB }
}

type Range = Omit<RangeFacts, 'statistics'>

/** Reads the list of ranges. */
export async function readRanges(requests: XrayRequests, name: string): Promise<readonly Range[]> {
  const listed: (PartitionKeyRange & { readonly throughputFraction?: number })[] = []
  let continuation: string | undefined
  do {
    const headers = {
      'x-ms-max-item-count': '-1',
      ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
    }
    const what = `reading the ranges of ${name}`
    const page = await requests.send({ what, kind: 'ranges', headers, expectedRu: METADATA_RU })
    listed.push(...(page.json as { readonly PartitionKeyRanges: typeof listed }).PartitionKeyRanges)
    continuation = stringIn(page.headers['x-ms-continuation'])
  } while (continuation !== undefined)
  const fractions = new Map(listed.map(({ id, throughputFraction }) => [id, throughputFraction]))
  return toContainerRanges(listed).map((range) => ({
    ...range,
    throughputFraction: fractions.get(range.id) ?? 1 / listed.length
  }))
}

interface ReadOffer {
  readonly offer: KnownOffer | null
  readonly isServerless: boolean
  readonly unseen: readonly Unseen[]
}

/** Offer of the container or of its database. A data-plane role may not read it, and a serverless account has none. */
async function readOffer(requests: XrayRequests, selfLink: string): Promise<ReadOffer> {
  const read = async (link: string): Promise<OfferJson | undefined> => {
    const body = JSON.stringify({ query: `SELECT * FROM root WHERE root.resource = ${JSON.stringify(link)}` })
    const headers = { 'content-type': 'application/query+json', 'x-ms-documentdb-isquery': 'true' }
    const what = 'reading the offer of the container'
    const { json } = await requests.send({ what, kind: 'offers', headers, body, expectedRu: METADATA_RU })
    return (json as { readonly Offers?: readonly OfferJson[] }).Offers?.[0]
  }
  try {
    const offer =
      toOffer(await read(selfLink), 'container') ?? toOffer(await read(databaseLinkIn(selfLink)), 'database')
    return offer === undefined
      ? withoutOffer('Neither the container nor its database has provisioned throughput.')
      : { offer, isServerless: false, unseen: [] }
  } catch (error) {
    if (!(error instanceof CosmosError)) throw error
    if (error.statusCode === 400)
      return { ...withoutOffer('The account is serverless: it has no provisioned throughput.'), isServerless: true }
    if (error.statusCode === 401 || error.statusCode === 403)
      return withoutOffer('This credential may not read the provisioned throughput: a data-plane role never may.')
    throw error
  }
}

function withoutOffer(reason: string): ReadOffer {
  return { offer: null, isServerless: false, unseen: [{ what: 'offer', reason }] }
}
