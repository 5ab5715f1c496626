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
  /** `database/container at host`, for messages. */
  readonly name: string
  readonly database: string
  readonly container: string
  /** Link to sign for requests to the container: `dbs/d/colls/c`. */
  readonly resourceLink: string
  /** Definition of the container; read once and then kept. */
  readonly definition: () => Promise<ContainerDefinition>
  /** Reads the definition again: the container may have been created again. */
  readonly refresh: () => Promise<ContainerDefinition>
  /** Ranges of the container, sorted by `min` and without gaps; read once and then kept. */
  readonly ranges: () => Promise<readonly ContainerRange[]>
  /** Reads the ranges again. Concurrent calls share one read; there is at most one read each second. */
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Ranges that were read within the last second; reads them again if these are older. */
  readonly recentRanges: () => Promise<readonly ContainerRange[]>
  /** Reads the offer at each call. */
  readonly offer: () => Promise<Offer>
  readonly signer: () => Sign
  /** Forgets signatures and tokens. Must be called after the service has answered 401. */
  readonly renewSignatures: () => void
  /** Endpoint of the region for writes. */
  readonly writeEndpoint: () => Promise<string>
  /** Endpoint of the region for reads. */
  readonly readEndpoint: () => Promise<string>
  /** Whether several regions accept writes; reads the account at each call. */
  readonly hasWriteRegions: () => Promise<boolean>
  /** Makes the next call read the regions of the account again. Must be called after an answer 403/3 or 403/1008. */
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

/** Opens a container. Sends nothing before the first call of a method. Throws OPTION_INVALID for invalid options. */
export function openAccount(
  given: AccountOptions,
  { now, sleep }: AccountDependencies = DEFAULT_DEPENDENCIES
): Account {
  const options = checkAccountOptions(given)
  const { database, container } = options
  const signer = createSigner(options, now)
  const metadata = createMetadataClient(options, signer)
  const name = `${database}/${container} at ${new URL(options.endpoint).host}`

  let selfLink: string | undefined
  const definition = createSharedRefresh({
    everyMs: EVERY_MS,
    now,
    sleep,
    read: async () => {
      const json = await metadata.read(`reading the container ${name}`, {
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
      const listed = await metadata.read(`reading the ranges of ${name}`, {
        direct: async (reads, read) =>
          ((await reads.ranges(read)) as RangesJson[]).flatMap((page) => page.PartitionKeyRanges),
        bySdk: async (client) =>
          (await client.database(database).container(container).readPartitionKeyRanges().fetchAll()).resources
      })
      return toContainerRanges(listed)
    }
  })
  const { endpoint, preferredRegions = [] } = options
  const endpoints = createEndpoints({ metadata, name, endpoint, preferredRegions })

  async function offer(): Promise<Offer> {
    // offers are found by the self link of the container, which contains its resource id
    if (selfLink === undefined) await definition.get()
    return readOffer(metadata, { database, container, selfLink: selfLink ?? '' })
  }

  return {
    name,
    database,
    container,
    resourceLink: `dbs/${database}/colls/${container}`,
    definition: definition.get,
    refresh: definition.refresh,
    ranges: ranges.get,
    refreshRanges: ranges.refresh,
    recentRanges: ranges.recent,
    offer,
    signer: () => signer.sign,
    renewSignatures: () => {
      signer.renew()
      // the SDK's client keeps the key that it was created with
      if (typeof options.key === 'function') metadata.replace()
    },
    writeEndpoint: () => endpoints.get('write'),
    readEndpoint: () => endpoints.get('read'),
    hasWriteRegions: async () => {
      const found = await metadata.read(`finding the regions of ${name}`, {
        direct: async (reads, read) => (await reads.account(read)) as AccountJson,
        bySdk: async (client): Promise<AccountJson> => (await client.getDatabaseAccount()).resource ?? {}
      })
      return (found.writableLocations ?? []).length > 1
    },
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
  readonly name: string
  /** Used if the account names no region. */
  readonly endpoint: string
  readonly preferredRegions: readonly string[]
}

/** Creates endpoints that read the regions once for each purpose, and again after a refresh. */
function createEndpoints({ metadata, name, endpoint, preferredRegions }: EndpointsOptions): Endpoints {
  const known = new Map<'read' | 'write', Promise<string>>()

  function get(purpose: 'read' | 'write'): Promise<string> {
    const found = known.get(purpose)
    if (found !== undefined) return found
    const asked = metadata.read(`finding the endpoint to ${purpose} ${name}`, {
      direct: async (reads, read) =>
        chooseRegion((await reads.account(read)) as AccountJson, purpose, preferredRegions) ?? endpoint,
      bySdk: (client) => (purpose === 'read' ? client.getReadEndpoint() : client.getWriteEndpoint())
    })
    known.set(purpose, asked)
    // the caller gets the failure, and the next call reads again
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
 * Returns the endpoint of the first preferred region that the account has for this purpose, otherwise of the account's
 * first region; undefined if the account lists no region.
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
  /** Returns the kept value; reads it if there is none. */
  readonly get: () => Promise<T>
  /** Reads the value again. Calls while a read is waiting or running share this read. */
  readonly refresh: () => Promise<T>
  /** Returns the kept value if its read began within the last `everyMs`, and otherwise reads it again. */
  readonly recent: () => Promise<T>
}

/**
 * Creates a shared refresh: at most one read at a time, which all callers share, and at most one read in `everyMs`.
 * Does not keep a failed read.
 */
export function createSharedRefresh<T>({ read, everyMs, now, sleep }: SharedRefreshOptions<T>): SharedRefresh<T> {
  let kept: Promise<T> | undefined
  let pending: Promise<T> | undefined
  let lastBegin = Number.NEGATIVE_INFINITY
  let keptBegin = Number.NEGATIVE_INFINITY

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
    const begin = now()
    lastBegin = begin
    const value = await read()
    kept = Promise.resolve(value)
    keptBegin = begin
    return value
  }

  function recent(): Promise<T> {
    const ageMs = now() - keptBegin
    return kept !== undefined && ageMs >= 0 && ageMs < everyMs ? kept : refresh()
  }

  return { get: () => kept ?? refresh(), refresh, recent }
}
