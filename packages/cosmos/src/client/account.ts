import { setTimeout } from 'node:timers/promises'
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
import { createMetadataClient, type MetadataClient } from './metadata-client.ts'
import { type Offer, readOffer } from './offer.ts'
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
interface AccountDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const DEFAULT_DEPENDENCIES: AccountDependencies = {
  now: Date.now,
  sleep: (ms) => setTimeout(ms)
}

const EVERY_MS = 1000

/** Opens a container; sends nothing before the first call. Throws OPTION_INVALID for invalid options. */
export function openAccount(
  given: AccountOptions,
  { now, sleep }: AccountDependencies = DEFAULT_DEPENDENCIES
): Account {
  const options = checkAccountOptions(given)
  const { database, container } = options
  const signer = createSigner(options, now)
  const metadata = createMetadataClient(options, signer)
  const containerText = `${database}/${container} at ${new URL(options.endpoint).host}`

  let selfLink: string | undefined
  const definition = createSharedRefresh({
    everyMs: EVERY_MS,
    now,
    sleep,
    read: async () => {
      const json = await metadata.read(`reading the container ${containerText}`, {
        direct: async (reads, read) => (await reads.container(read)) as ContainerJson,
        bySdk: async (client) =>
          (await client.database(database).container(container).read()).resource! as ContainerJson
      })
      selfLink = selfLinkIn(json)
      return toContainerDefinition(json)
    }
  })
  const ranges = createSharedRefresh({
    everyMs: EVERY_MS,
    now,
    sleep,
    read: async () => {
      const listed = await metadata.read(`reading the ranges of ${containerText}`, {
        direct: async (reads, read) =>
          ((await reads.ranges(read)) as RangesJson[]).flatMap((page) => page.PartitionKeyRanges),
        bySdk: async (client) =>
          (await client.database(database).container(container).readPartitionKeyRanges().fetchAll()).resources
      })
      return toContainerRanges(listed)
    }
  })
  const { endpoint, preferredRegions = [] } = options
  const endpoints = createEndpoints({ metadata, containerText, endpoint, preferredRegions })

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

/** Endpoints of the account's regions. */
interface Endpoints {
  readonly get: (purpose: 'read' | 'write') => Promise<string>
  readonly refresh: () => void
}

interface EndpointsOptions {
  readonly metadata: MetadataClient
  readonly containerText: string
  /** Used where the account names no region. */
  readonly endpoint: string
  readonly preferredRegions: readonly string[]
}

/** Reads the regions once for each purpose, and again after a refresh. */
function createEndpoints({ metadata, containerText, endpoint, preferredRegions }: EndpointsOptions): Endpoints {
  const known = new Map<'read' | 'write', Promise<string>>()

  function get(purpose: 'read' | 'write'): Promise<string> {
    const found = known.get(purpose)
    if (found !== undefined) return found
    const asked = metadata.read(`asking where to ${purpose} ${containerText}`, {
      direct: async (reads, read) =>
        chooseRegion((await reads.account(read)) as AccountJson, purpose, preferredRegions) ?? endpoint,
      bySdk: (client) => (purpose === 'read' ? client.getReadEndpoint() : client.getWriteEndpoint())
    })
    known.set(purpose, asked)
    // the caller gets the failure; it is not kept
    asked.catch(() => known.delete(purpose))
    return asked
  }

  return {
    get,
    refresh: () => {
      known.clear()
      metadata.replace()
    }
  }
}

/** The part of an account's JSON that is read. */
interface AccountJson {
  readonly writableLocations?: readonly RegionJson[]
  readonly readableLocations?: readonly RegionJson[]
}

interface RegionJson {
  readonly name: string
  readonly databaseAccountEndpoint: string
}

/**
 * Endpoint of the first preferred region that the account has for this purpose, otherwise of its own first region;
 * undefined where it has none.
 */
export function chooseRegion(
  account: AccountJson,
  purpose: 'read' | 'write',
  preferredRegions: readonly string[]
): string | undefined {
  const regions = (purpose === 'read' ? account.readableLocations : account.writableLocations) ?? []
  for (const preferred of preferredRegions) {
    const region = regions.find(({ name }) => nameOf(name) === nameOf(preferred))
    if (region !== undefined) return region.databaseAccountEndpoint
  }
  return regions[0]?.databaseAccountEndpoint
}

// "West Europe" equals "westeurope"
function nameOf(region: string): string {
  return region.replaceAll(' ', '').toLowerCase()
}

/** Options of a shared refresh. */
interface SharedRefreshOptions<T> {
  readonly read: () => Promise<T>
  /** Minimum time between the beginnings of two reads. */
  readonly everyMs: number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** A value that is read on first use, kept, and read again on demand. */
interface SharedRefresh<T> {
  /** The kept value; read if there is none. */
  readonly get: () => Promise<T>
  /** Reads the value again; calls during a read, or while one is waiting, share it. */
  readonly refresh: () => Promise<T>
}

/** One read in flight, shared by all callers, and never more often than `everyMs`. A failed read is not kept. */
export function createSharedRefresh<T>({ read, everyMs, now, sleep }: SharedRefreshOptions<T>): SharedRefresh<T> {
  let kept: Promise<T> | undefined
  let pending: Promise<T> | undefined
  let lastBegin = Number.NEGATIVE_INFINITY

  function refresh(): Promise<T> {
    pending ??= readInTurn().finally(() => {
      pending = undefined
    })
    return pending
  }

  async function readInTurn(): Promise<T> {
    // the clock may have been set back: never wait longer than one interval
    const wait = Math.min(everyMs, lastBegin + everyMs - now())
    if (wait > 0) await sleep(wait)
    lastBegin = now()
    const value = await read()
    kept = Promise.resolve(value)
    return value
  }

  return { get: () => kept ?? refresh(), refresh }
}
