import { setTimeout as sleep } from 'node:timers/promises'
import { type AccountOptions, checkAccountOptions } from './account-options.ts'
import {
  type ContainerDefinition,
  type ContainerJson,
  type ContainerRange,
  type RangesJson,
  selfLinkIn,
  toContainerDefinition,
  toContainerRanges
} from './container.ts'
import { createEndpoints } from './endpoints.ts'
import { createMetadataClient } from './metadata-client.ts'
import { type Offer, readOffer } from './offer.ts'
import { createSharedRefresh } from './shared-refresh.ts'
import { createSigner, type Sign } from './signer.ts'

/** One container of an account: its definition, ranges, endpoints and signatures. */
export interface Account {
  readonly database: string
  readonly container: string
  /** Link that is signed for requests to the container: `dbs/d/colls/c`. */
  readonly resourceLink: string
  /** Kept after the first read. */
  readonly definition: () => Promise<ContainerDefinition>
  /** Reads the definition again: the container may have been created again. */
  readonly refresh: () => Promise<ContainerDefinition>
  /** Sorted by `min`, without gaps; kept after the first read. */
  readonly ranges: () => Promise<readonly ContainerRange[]>
  /** Reads the ranges again: one read in flight, shared, at most one a second. */
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Read for each call. */
  readonly offer: () => Promise<Offer>
  readonly signer: () => Sign
  /** Forgets signatures and tokens. Called when the service answered 401. */
  readonly renewSignatures: () => void
  /** Endpoint of the region for writes. */
  readonly writeEndpoint: () => Promise<string>
  /** Endpoint of the region for reads. */
  readonly readEndpoint: () => Promise<string>
  /** Reads the regions of the account again. Called after an answer 403/3 or 403/1008. */
  readonly refreshEndpoints: () => void
  readonly agent: AccountOptions['agent']
  readonly close: () => void
}

/** Dependencies of an account. */
export interface AccountDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const DEFAULT_DEPENDENCIES: AccountDependencies = {
  now: Date.now,
  sleep: (ms) => sleep(ms)
}

const EVERY_MS = 1000

/** Opens a container; sends nothing before the first call. Throws OPTION_INVALID for invalid options. */
export function openAccount(given: AccountOptions, { now, sleep: pause }: AccountDependencies = DEFAULT_DEPENDENCIES): Account {
  const options = checkAccountOptions(given)
  const { database, container } = options
  const signer = createSigner(options, now)
  const metadata = createMetadataClient(options, signer)
  const place = `${database}/${container} at ${new URL(options.endpoint).host}`

  let selfLink: string | undefined
  const definition = createSharedRefresh({
    everyMs: EVERY_MS,
    now,
    sleep: pause,
    read: async () => {
      const json = await metadata.read(`reading the container ${place}`, {
        direct: async (reads, read) => (await reads.container(read)) as ContainerJson,
        bySdk: async (client) => (await client.database(database).container(container).read()).resource! as ContainerJson
      })
      selfLink = selfLinkIn(json)
      return toContainerDefinition(json)
    }
  })
  const ranges = createSharedRefresh({
    everyMs: EVERY_MS,
    now,
    sleep: pause,
    read: async () => {
      const listed = await metadata.read(`reading the ranges of ${place}`, {
        direct: async (reads, read) => ((await reads.ranges(read)) as RangesJson[]).flatMap((page) => page.PartitionKeyRanges),
        bySdk: async (client) => (await client.database(database).container(container).readPartitionKeyRanges().fetchAll()).resources
      })
      return toContainerRanges(listed)
    }
  })
  const { endpoint, preferredRegions = [] } = options
  const endpoints = createEndpoints({ metadata, place, endpoint, preferredRegions })

  async function offer(): Promise<Offer> {
    // offers are found by the self link of the container, which holds its resource id
    if (selfLink === undefined) await definition.get()
    return readOffer(metadata, { database, container, selfLink: selfLink ?? '' })
  }

  return {
    database,
    container,
    resourceLink: `dbs/${database}/colls/${container}`,
    definition: definition.get,
    refresh: definition.refresh,
    ranges: ranges.get,
    refreshRanges: ranges.refresh,
    offer,
    signer: () => signer.sign,
    renewSignatures: () => {
      signer.renew()
      // the SDK's client keeps the key that it was created with
      if (typeof options.key === 'function') metadata.replace()
    },
    writeEndpoint: () => endpoints.get('write'),
    readEndpoint: () => endpoints.get('read'),
    refreshEndpoints: endpoints.refresh,
    agent: options.agent,
    close: metadata.close
  }
}
