import { CosmosError } from '@keystamp/cosmos'
import type { ChangesAnswer, ChangesPage, FeedMode, FeedRange, MoveContainer } from '../containers/move-container.ts'
import type { Direction, Journal, RangePosition } from '../journal/journal.ts'

export interface BeginOptions {
  readonly source: MoveContainer
  readonly journal: Journal
  readonly direction: Direction
  /** `now` for a container whose documents are in the target already. */
  readonly begin: 'beginning' | 'now'
  /** Whether to read the feed of all versions and deletes. */
  readonly readsVersions: boolean
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
}

/** Begins a copy in one direction, instead of an earlier one: finds the positions of all ranges, and saves them. */
export async function beginCopy(options: BeginOptions, signal: AbortSignal): Promise<readonly RangePosition[]> {
  const { source, journal, direction } = options
  const ranges = await source.feedRanges()
  const positions = (await Promise.all(ranges.map((range) => beginRange(range, options, signal)))).flat()
  await journal.append({ type: 'ranges', direction, ranges: positions })
  // deletes are known from this position on, so no document may be copied before the disk has it
  await journal.sync()
  return positions
}

/** Position at which the copy of a range begins; several if the range is split meanwhile. */
async function beginRange(
  range: FeedRange,
  options: BeginOptions,
  signal: AbortSignal
): Promise<readonly RangePosition[]> {
  const { source, begin, readsVersions, wallMs } = options
  const readNow = (mode: FeedMode): Promise<ChangesAnswer> => source.readChanges({ range, mode, from: 'now', signal })
  const versionsAt = wallMs()
  const versions = readsVersions ? await readNow('versions') : undefined
  const latest = begin === 'now' ? await readNow('latest') : undefined
  for (const answer of [versions, latest]) {
    if (answer?.kind === 'split')
      return (await Promise.all(answer.ranges.map((part) => beginRange(part, options, signal)))).flat()
  }
  const [latestPage, versionsPage] = [latest, versions] as readonly (ChangesPage | undefined)[]
  return [
    {
      range,
      latest: latestPage?.position ?? null,
      versions: versionsPage?.position ?? null,
      versionsAt: versions === undefined ? null : versionsAt,
      sessionToken: (latestPage ?? versionsPage)?.sessionToken ?? null,
      isCopied: begin === 'now',
      documents: 0
    }
  ]
}

/** Whether a container has the feed of all versions and deletes. */
export async function hasVersions(container: MoveContainer): Promise<boolean> {
  let [range] = await container.feedRanges()
  try {
    for (;;) {
      const answer = await container.readChanges({ range, mode: 'versions', from: 'now' })
      if (answer.kind === 'page') return true
      // a split does not tell: its parts do
      ;[range] = answer.ranges
    }
  } catch (error) {
    if (error instanceof CosmosError && error.statusCode === 400) return false
    throw error
  }
}

export const VERSIONS_LOST =
  'The move stood still for longer than Cosmos DB retains all versions and deletes. From now on it finds deletes by comparisons: `deletes: "compare"`.'
