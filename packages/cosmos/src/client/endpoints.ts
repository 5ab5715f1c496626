import type { MetadataClient } from './metadata-client.ts'

/** Endpoints of the account's regions. */
export interface Endpoints {
  readonly get: (purpose: 'read' | 'write') => Promise<string>
  readonly refresh: () => void
}

export interface EndpointsOptions {
  readonly metadata: MetadataClient
  readonly place: string
  /** Used where the account names no region. */
  readonly endpoint: string
  readonly preferredRegions: readonly string[]
}

/** Reads the regions once for each purpose, and again after a refresh. */
export function createEndpoints({ metadata, place, endpoint, preferredRegions }: EndpointsOptions): Endpoints {
  const known = new Map<'read' | 'write', Promise<string>>()

  function get(purpose: 'read' | 'write'): Promise<string> {
    const found = known.get(purpose)
    if (found !== undefined) return found
    const asked = metadata.read(`asking where to ${purpose} ${place}`, {
      direct: async (reads, read) => chooseRegion((await reads.account(read)) as AccountJson, purpose, preferredRegions) ?? endpoint,
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
export interface AccountJson {
  readonly writableLocations?: readonly RegionJson[]
  readonly readableLocations?: readonly RegionJson[]
}

interface RegionJson {
  readonly name: string
  readonly databaseAccountEndpoint: string
}

/** Endpoint of the first preferred region that the account has for this purpose, otherwise of its own first region; undefined where it has none. */
export function chooseRegion(account: AccountJson, purpose: 'read' | 'write', preferredRegions: readonly string[]): string | undefined {
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
