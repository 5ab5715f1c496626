import { CosmosError } from '@keystamp/cosmos'
import type { Journal } from '../journal/journal.ts'
import type { MoveContainer } from './move-container.ts'

/** Whether a container has the feed of all versions and deletes. */
export async function hasVersions(container: MoveContainer): Promise<boolean> {
  const [range] = await container.feedRanges()
  try {
    await container.readChanges({ range, mode: 'versions', from: 'now' })
    return true
  } catch (error) {
    if (error instanceof CosmosError && error.statusCode === 400) return false
    throw error
  }
}

/** Whether a move that began with the feed of all versions of its source stood still for longer than its retention. */
export function hasLostVersions(journal: Journal): boolean {
  return journal.state().ranges.forward.some(({ versions }) => versions === null)
}

export const VERSIONS_LOST =
  'The move stood still for longer than Cosmos DB retains all versions and deletes. From now on it finds deletes by comparisons: `deletes: "compare"`.'
