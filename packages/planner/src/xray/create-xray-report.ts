import { headOf, type KeyComponent, type KeyDefinition } from '@keystamp/core'
import type { Check, Finding, XrayedLoad, XrayedRange, XrayReport, XrayVerdict } from '../report/xray-report.ts'
import { formatPercent } from '../workload/quantity-text.ts'
import { type CheckRule, CHECKS } from './check-table.ts'
import type { CheckResults } from './checked.ts'
import { checkLoad, type LoadedRange, usableShareOf } from './load-checks.ts'
import type { CountedLoad } from './load-counter.ts'
import { checkQueries, checkSizes } from './size-checks.ts'
import { unseenOf } from './unseen-parts.ts'
import type { LoadInput, RangeInput, XrayInput } from './xray-input.ts'

/** Keys of the load that a report has. */
const REPORTED_KEYS = 20

/** Runs all checks, and says what follows. */
export function createXrayReport(input: XrayInput): XrayReport {
  const { ranges, definition, load, queries, showValues } = input
  // the containers of a database share its throughput: the part of this one is not known
  const ruPerSecond = input.isShared ? null : input.ruPerSecond
  const shares = hashShares(ranges, definition)
  const gb = input.bytes === null ? null : input.bytes / 1e9
  const loaded: LoadedRange[] = ranges.map(({ id, throughputFraction }, range) => ({
    id,
    throughputFraction,
    hashShare: shares[range],
    ruPerSecond: ruPerSecond === null ? null : ruPerSecond * throughputFraction
  }))
  const sized = ranges.map(({ id, throughputFraction, bytes, largestKeys }, range) => ({
    id,
    throughputFraction,
    hashShare: shares[range],
    gb: bytes === null ? null : bytes / 1e9,
    largestKeys: largestKeys.map((key) => ({ hash: key.hash, gb: key.bytes / 1e9 }))
  }))
  const noun = load?.source === 'log' ? 'request units' : 'writes'
  const results: CheckResults = {
    ...checkLoad(load?.counted ?? null, loaded, { noun }),
    ...checkSizes(sized, { gb, ruPerSecond }),
    'wide-queries': checkQueries(queries, ranges.length)
  }
  const isSeen = load !== null && load.counted.total > 0
  const findings = findingsOf(results)
  return {
    schemaVersion: 1,
    container: {
      name: input.name,
      partitionKey: definition,
      physicalPartitions: ranges.length,
      ruPerSecond: input.ruPerSecond,
      throughput: input.throughput,
      isShared: input.isShared,
      documents: input.documents,
      gb
    },
    looked: input.looked,
    verdict: verdictOf(findings, results, input),
    findings,
    checks: CHECKS.map((rule) => checkOf(rule, results, ranges.length)),
    ranges: ranges.map((range, number) =>
      rangeOf(range, loaded[number], isSeen ? load.counted : null, number, showValues)
    ),
    load: isSeen ? loadOf(load, loaded, showValues) : null,
    queries,
    unseen: unseenOf(input, results),
    plan: input.plan
  }
}

/** Share of the hash space of each range; null for version 1, whose boundaries are not linear. */
function hashShares(ranges: readonly RangeInput[], { kind, version }: Required<KeyDefinition>): (number | null)[] {
  if (kind !== 'MultiHash' && version !== 2) return ranges.map(() => null)
  return ranges.map(({ min, max }) => positionOf(max) - positionOf(min))
}

function positionOf(epk: string): number {
  return epk === 'FF' ? 1 : headOf(epk) / HEADS_V2
}

const HEADS_V2 = 0x4000_0000

function findingsOf(results: CheckResults): readonly Finding[] {
  return CHECKS.flatMap(({ name, title, unit }) => {
    const result = results[name]
    return result.state === 'found' ? result.findings.map((each) => ({ name, title, unit, ...each })) : []
  })
}

function checkOf(
  { name, title, unit, measures, threshold, isOfEvenShare }: CheckRule,
  results: CheckResults,
  partitions: number
): Check {
  const result = results[name]
  const value = result.state === 'unseen' ? null : result.value
  const own = result.state === 'unseen' ? undefined : result.threshold
  return {
    name,
    title,
    state: result.state,
    value,
    unit,
    threshold: own ?? (isOfEvenShare ? threshold / partitions : threshold),
    measures
  }
}

function verdictOf(findings: readonly Finding[], results: CheckResults, { ranges }: XrayInput): XrayVerdict {
  if (findings.length > 0) {
    const titles = [...new Set(findings.map(({ title }) => title))]
    const [first] = findings
    return {
      kind: 'findings',
      sentence: `${titles.length === 1 ? 'One trouble' : `${titles.length} troubles`}: ${titles.join(', ')}. ${first.reason}`
    }
  }
  const open = CHECKS.filter(({ name, isEssential }) => isEssential && results[name].state === 'unseen')
  if (open.length > 0)
    return {
      kind: 'unknown',
      sentence: `No trouble was found, but not everything could be seen: ${open.map(({ title }) => title).join(', ')} ${open.length === 1 ? 'was' : 'were'} not checked.`
    }
  if (ranges.length === 1)
    return {
      kind: 'healthy',
      sentence: 'Healthy: with one physical partition, the key does not matter for load, and no size is near its limit.'
    }
  const unusable = results['unusable-throughput']
  const usable =
    unusable.state === 'unseen' || unusable.value === null
      ? ''
      : ` The load can use ${formatPercent(1 - unusable.value)} of the RU/s.`
  return { kind: 'healthy', sentence: `Healthy: no check found a trouble.${usable}` }
}

function rangeOf(
  range: RangeInput,
  { hashShare, ruPerSecond }: LoadedRange,
  load: CountedLoad | null,
  number: number,
  showValues: boolean
): XrayedRange {
  const { id, min, max, throughputFraction, bytes, documents, largestKeys } = range
  return {
    id,
    min,
    max,
    hashShare,
    throughputFraction,
    ruPerSecond,
    gb: bytes === null ? null : bytes / 1e9,
    documents,
    loadShare: load === null ? null : load.byRange[number] / load.total,
    largestKeys: largestKeys.map(({ hash, value, bytes: size }) => ({
      hash,
      ...(showValues && value !== undefined ? { value } : {}),
      gb: size / 1e9
    }))
  }
}

function loadOf(
  { source, counted, seconds, windowStarts }: LoadInput,
  ranges: readonly LoadedRange[],
  showValues: boolean
): XrayedLoad {
  const { total, keys, windows } = counted
  return {
    source,
    total,
    perSecond: seconds === 0 ? 0 : total / seconds,
    usableShare: usableShareOf(counted.byRange, ranges),
    distinctKeys: counted.distinctKeys,
    keys: keys.slice(0, REPORTED_KEYS).map(({ hash, values, range, weight }) => ({
      hash,
      ...(showValues ? { value: keyText(values) } : {}),
      range: ranges[range].id,
      share: weight / total
    })),
    windows: windows.flatMap((weights, window) => {
      const sum = weights.reduce((all, each) => all + each, 0)
      if (sum === 0) return []
      return [{ at: windowStarts[window], total: sum, shares: Array.from(weights, (each) => roundedShare(each / sum)) }]
    })
  }
}

function roundedShare(share: number): number {
  return Math.round(share * 1e5) / 1e5
}

/** A key as JSON: its value, or the list of its levels. A missing value is `{}`, as in the requests of Cosmos DB. */
export function keyText(values: readonly (KeyComponent | object)[]): string {
  const shown = values.map((value) => value ?? (value === null ? null : {}))
  return shown.length === 1
    ? typeof shown[0] === 'string'
      ? shown[0]
      : JSON.stringify(shown[0])
    : JSON.stringify(shown)
}
