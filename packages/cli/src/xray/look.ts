import {
  type KeySize,
  pointerOfPath,
  type RangeFacts,
  type MergedRange,
  type SplitRange,
  type SampledDocuments,
  type Unseen,
  type Xray
} from '@keystamp/cosmos'
import { type KeyComponent, partitionHash } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import {
  createLoadCounter,
  formatDuration,
  keyText,
  keyValuesOf,
  type LoadInput,
  type RangeInput,
  shortHash,
  type UnseenPart
} from '@keystamp/planner'

type ContainerFacts = Awaited<ReturnType<Xray['facts']>>

/** Counts the writes of the last seconds by key, range and window. */
export async function countWrites(
  xray: Xray,
  { definition, ranges }: ContainerFacts,
  { from, to }: { readonly from: number; readonly to: number }
): Promise<LoadInput> {
  const pointers = definition.partitionKey.paths.map((path) => parsePointer(pointerOfPath(path)) ?? [])
  const counter = createLoadCounter({ definition: definition.partitionKey, ranges, windows: MAX_WINDOWS })
  const { windows, read, seconds } = await xray.changes({
    from,
    to,
    onChanges: ({ window, documents }) => {
      for (const document of documents) counter.add(keyValuesOf(document, pointers), window, 1)
    }
  })
  return {
    source: 'changes',
    counted: counter.finish((window) => read.includes(window)),
    seconds: read.reduce((sum, window) => sum + Math.min(seconds, windows[window].to - windows[window].from), 0),
    windowStarts: windows.map((window) => new Date(window.from * 1000).toISOString())
  }
}

/** Most windows into which a period is divided. */
const MAX_WINDOWS = 15

/** The ranges for a report, with the hashes of their largest keys. */
export function toRangeInputs({ ranges, definition: { partitionKey } }: ContainerFacts): readonly RangeInput[] {
  return ranges.map(({ statistics, ...range }: RangeFacts) => ({
    id: range.id,
    min: range.min,
    max: range.max,
    throughputFraction: range.throughputFraction,
    bytes: statistics?.bytes ?? null,
    documents: statistics?.documents ?? null,
    largestKeys: largestOf(statistics).map(({ values, bytes }) => {
      const components = values.map(toComponent)
      const epk = partitionHash(components, partitionKey)
      return { hash: shortHash(epk, components.length, partitionKey), value: keyText(components), bytes }
    })
  }))
}

/** Keys of a physical partition in a report. */
const REPORTED_KEYS = 10

function largestOf(statistics: RangeFacts['statistics']): readonly KeySize[] {
  return (statistics?.largestKeys ?? []).filter(({ bytes }) => bytes > 0).slice(0, REPORTED_KEYS)
}

/** A missing value of a key is `{}` in answers of the service. */
function toComponent(value: unknown): KeyComponent {
  return typeof value === 'object' && value !== null ? undefined : (value as KeyComponent)
}

/** The parts that the service did not tell, in the words of the report. */
export function toUnseenParts(unseen: readonly Unseen[]): readonly UnseenPart[] {
  return unseen.map(({ what, reason }) => ({ what: NAMES[what], why: reason, checks: CHECKS[what] }))
}

const NAMES: Readonly<Record<Unseen['what'], string>> = {
  statistics: 'statistics of the physical partitions',
  offer: 'provisioned throughput',
  quota: 'number of documents and size'
}

const CHECKS: Readonly<Record<Unseen['what'], UnseenPart['checks']>> = {
  statistics: ['key-near-20-gb', 'range-near-50-gb', 'merge-possible'],
  offer: ['merge-possible'],
  quota: ['merge-possible']
}

/** The part of a period whose writes were not read. */
export function unseenOfPeriod({ seconds }: LoadInput, periodSeconds: number): readonly UnseenPart[] {
  if (seconds >= periodSeconds) return []
  const [read, period] = [Math.round(seconds), periodSeconds].map(formatDuration)
  return [
    {
      what: 'all writes of the period',
      why: `Reading them takes more RU or more time than a run may take: ${read} of ${period} were read, in parts of equal length. A higher --max-ru reads more of them.`,
      checks: []
    }
  ]
}

/** Physical partitions that the run did not look at, because they are newer than its report. */
export function unseenOfSplits(splits: readonly SplitRange[]): readonly UnseenPart[] {
  return splits.map(({ from, to }) => ({
    what: `physical partitions ${to.join(' and ')}`,
    why: `Physical partition ${from} was split into them during the run. The report counts their writes for physical partition ${from}. Run keystamp xray again to see them.`,
    checks: []
  }))
}

/** Physical partitions that became another one during the run. */
export function unseenOfMerges(merges: readonly MergedRange[]): readonly UnseenPart[] {
  return merges.map(({ from, to }) => ({
    what: `physical partition ${to}`,
    why: `Physical partitions ${from.join(' and ')} were merged into it during the run. The report counts their writes for physical partitions ${from.join(' and ')}. Run keystamp xray again to see it.`,
    checks: []
  }))
}

/** Doubts about a sample that is not quite random. */
export function unseenOfSample({
  method,
  records,
  documents
}: Pick<SampledDocuments, 'method' | 'documents'> & { readonly records: readonly unknown[] }): readonly UnseenPart[] {
  if (method !== 'moments') return []
  return [
    {
      what: 'a random sample of the documents',
      why: `Too many documents were written in one second, so only the first ones from random seconds on were read: ${records.length} of ${documents}. Keys that were written together can be too frequent in the sample.`,
      checks: []
    }
  ]
}
