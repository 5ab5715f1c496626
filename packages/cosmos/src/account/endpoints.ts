import type { MetadataClient } from './metadata-client.ts'

/** Where the account's regions are. */
export interface Endpoints {
  readonly get: (purpose: 'read' | 'write') => Promise<string>
  readonly refresh: () => void
}

/** Asks the account once for each purpose, and again after a refresh. */
export function createEndpoints(metadata: MetadataClient, place: string): Endpoints {
  const known = new Map<'read' | 'write', Promise<string>>()

  function get(purpose: 'read' | 'write'): Promise<string> {
    const found = known.get(purpose)
    if (found !== undefined) return found
    const asked = metadata.read(`asking where to ${purpose} ${place}`, (client) =>
      purpose === 'read' ? client.getReadEndpoint() : client.getWriteEndpoint()
    )
    known.set(purpose, asked)
    // a failure is the caller's to see, and not to be kept
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
