import type { CandidateReport, Verdict } from '../report/plan-report.ts'
import { formatDuration, formatPercent, formatPrice } from '../workload/quantity-text.ts'
import type { Workload } from '../workload/workload.ts'
import { EXAMPLE_RANGES, type Evaluated, isLoadKnown } from './candidate-report.ts'

/** Candidates in their order, and the verdict. */
export interface Judged {
  readonly verdict: Verdict
  readonly ranked: readonly Evaluated[]
}

/** Prices that differ by at most this share count as equal: the simpler key wins. */
const EQUAL_PRICES = 0.03
/** Longest time to live with which old documents expire instead of being copied to a new container. */
const SHORT_LIFE_SECONDS = 30 * 86_400

/** Orders candidates: first those within the limits of Cosmos DB, then by price, then by simplicity. */
export function judge(candidates: readonly Evaluated[], workload: Workload): Judged {
  if (!isLoadKnown(workload)) return judgeBySpread(candidates)
  const possible = candidates.filter(isPossible)
  const best = winnerOf(possible, workload)
  if (best === undefined) {
    const ranked = ranks(candidates.toSorted(byPrice), undefined)
    return { ranked, verdict: { kind: 'unknown', candidate: null, sentence: noneSentence(candidates) } }
  }
  const others = candidates.filter((each) => each !== best)
  const ranked = ranks(
    [
      best,
      ...others.filter(isPossible).toSorted(byPrice),
      ...others.filter((each) => !isPossible(each)).toSorted(byPrice)
    ],
    best
  )
  return { ranked, verdict: verdictOf(best, ranked, workload) }
}

/** Orders candidates without a load, and so without prices: by usable share, with a deduction for less simple keys. */
function judgeBySpread(candidates: readonly Evaluated[]): Judged {
  const ordered = candidates.toSorted((one, other) => spreadOf(other) - spreadOf(one))
  const [best] = ordered
  if (best === undefined) {
    return { ranked: [], verdict: { kind: 'unknown', candidate: null, sentence: noneSentence(candidates) } }
  }
  const ranked = ordered.map((each, index) => ({
    ...each,
    report: {
      ...each.report,
      rank: index + 1,
      whyNot:
        index === 0 ? null : (each.report.hardLimits[0] ?? 'It spreads the records less evenly, or is no simpler.')
    }
  }))
  const share = best.report.usableShare
  const found =
    share === null
      ? ''
      : `: a load can use ${formatPercent(share.mid)} of the RU/s of ${EXAMPLE_RANGES} physical partitions`
  const sentence = `The load is unknown, so there is no price and no verdict: give the load with --writes and --query. Of the keys of this sample, ${best.report.name} spreads the records most evenly${found}.`
  return { ranked, verdict: { kind: 'unknown', candidate: best.report.name, sentence } }
}

function spreadOf({ report, effort }: Evaluated): number {
  return (report.hardLimits.length > 0 ? -1 : 0) + (report.usableShare?.mid ?? 0) - effort * EQUAL_PRICES
}

function isPossible({ report }: Evaluated): boolean {
  return report.hardLimits.length === 0 && report.physicalPartitions !== null && report.monthlyPrice !== null
}

function byPrice(one: Evaluated, other: Evaluated): number {
  return priceOf(one) - priceOf(other) || costOf(one) - costOf(other)
}

function priceOf({ report }: Evaluated): number {
  return report.monthlyPrice ?? Number.POSITIVE_INFINITY
}

/**
 * Of the keys that cost at most 3 % more than the cheapest one, the simplest wins, then the one with the cheapest
 * queries.
 */
function winnerOf(possible: readonly Evaluated[], { presentKey }: Workload): Evaluated | undefined {
  const least = Math.min(...possible.map(priceOf))
  const near = possible.filter((each) => priceOf(each) <= least * (1 + EQUAL_PRICES))
  const present = near.find(
    ({ candidate, report }) => candidate.kind === 'present' && report.indexContainers.length === 0
  )
  if (presentKey !== undefined && present !== undefined) return present
  return near.toSorted((one, other) => costOf(one) - costOf(other) || priceOf(one) - priceOf(other))[0]
}

/** Rates keys of about the same price, the lowest is best: by effort, then queries, then the usable share. */
function costOf({ candidate, effort, report }: Evaluated): number {
  const spread = report.queries
    .filter(({ kind }) => kind === 'all')
    .reduce((sum, { ruPerSecond }) => sum + (ruPerSecond ?? 0), 0)
  const isSpread = spread > 0 ? 0.5 : 0
  return effort + isSpread + (candidate.kind === 'id' ? 0.25 : 0) - (report.usableShare?.mid ?? 0) / 10
}

function ranks(candidates: readonly Evaluated[], best: Evaluated | undefined): readonly Evaluated[] {
  return candidates.map((each, index) => ({
    ...each,
    report: { ...each.report, rank: index + 1, whyNot: each === best ? null : whyNot(each.report, best?.report) }
  }))
}

function whyNot(report: CandidateReport, best: CandidateReport | undefined): string {
  const [limit] = report.hardLimits
  if (limit !== undefined) return limit
  if (report.monthlyPrice === null) return 'Its price is unknown.'
  const price = best?.monthlyPrice ?? report.monthlyPrice
  const more = report.monthlyPrice / price - 1
  const currency = report.price?.currency ?? 'USD'
  if (more > EQUAL_PRICES) {
    return `It costs ${formatPrice(report.monthlyPrice - price, currency)} more a month (${formatPercent(more)}).`
  }
  const spread = report.queries.filter(({ kind }) => kind === 'all').length
  if (spread > 0 && best !== undefined && best.queries.every(({ kind }) => kind !== 'all')) {
    return `Its price is about the same, but ${spread === 1 ? 'one query goes' : `${spread} queries go`} to all physical partitions.`
  }
  return 'Its price is about the same, but it is no simpler.'
}

function verdictOf(best: Evaluated, ranked: readonly Evaluated[], workload: Workload): Verdict {
  const { report, candidate } = best
  const base = { candidate: report.name }
  const partitions = report.physicalPartitions ?? 1
  if (report.indexContainers.length > 0) {
    return { ...base, kind: 'index', sentence: indexSentence(best, ranked) }
  }
  if (candidate.kind === 'present') {
    return {
      ...base,
      kind: 'keep',
      sentence: `Keep the present key: ${usage(report)}, and no other key is more than 3 % cheaper.`
    }
  }
  const { presentKey, ttlSeconds } = workload
  if (presentKey !== undefined && typeof ttlSeconds === 'number' && ttlSeconds <= SHORT_LIFE_SECONDS) {
    return {
      ...base,
      kind: 'expire',
      sentence: `Do not copy the documents: write to a new container with the key ${report.name} and to the present container, and let the old documents expire after ${formatDuration(ttlSeconds)}; in the new container, ${usage(report)}.`
    }
  }
  if (partitions === 1 && ranked.filter(isPossible).length > 1) {
    return {
      ...base,
      kind: 'either',
      sentence: `One physical partition is enough, so the key does not matter for the load${report.plan === null ? ', and no synthetic key is needed' : ''}: ${report.name} is the simplest key${report.queries.length > 0 ? ' that fits the queries' : ''}.`
    }
  }
  const simple = report.plan === null ? ': no synthetic key is needed' : ''
  return {
    ...base,
    kind: 'adopt',
    sentence: `Use ${report.name} as the partition key${simple}; ${usage(report)}${gain(report, ranked)}.`
  }
}

function indexSentence({ candidate, report }: Evaluated, ranked: readonly Evaluated[]): string {
  const key = candidate.kind === 'present' ? 'Keep the present key' : `Use ${candidate.name} as the partition key`
  const indexes = report.indexContainers.map(({ name }) => name).join(' and ')
  const containers = report.indexContainers.length === 1 ? 'an index container' : 'index containers'
  const alone = ranked.find((each) => each.candidate === candidate && each.report.indexContainers.length === 0)?.report
  const queries = report.indexContainers.flatMap((each) => each.queries)
  const asked = `${queries.map((query) => `"${query}"`).join(' and ')} would otherwise go to all ${alone?.physicalPartitions ?? ''} physical partitions`
  const price = alone?.monthlyPrice ?? null
  const saved =
    price === null || report.monthlyPrice === null
      ? ''
      : `, and the price is ${formatPercent(1 - report.monthlyPrice / price)} lower`
  return `${key}, and add ${containers} by ${indexes}: ${asked}${saved}.`
}

function usage({ usableShare, physicalPartitions }: CandidateReport): string {
  const partitions = physicalPartitions === 1 ? 'one physical partition' : `${physicalPartitions} physical partitions`
  if (usableShare === null) return `the load needs ${partitions}`
  const { low, mid, high } = usableShare
  const range = formatPercent(low) === formatPercent(high) ? '' : ` (${formatPercent(low)} to ${formatPercent(high)})`
  return `the load can use ${formatPercent(mid)}${range} of the provisioned RU/s of ${partitions}`
}

/** Comparison of a synthetic key with the best key that needs no plan. */
function gain(report: CandidateReport, ranked: readonly Evaluated[]): string {
  if (report.plan === null || report.monthlyPrice === null) return ''
  const plain = ranked.find((each) => each.report.plan === null && isPossible(each))?.report
  const price = plain?.monthlyPrice ?? null
  if (plain === undefined || price === null || price <= report.monthlyPrice) return ''
  return `, and the price is ${formatPercent(1 - report.monthlyPrice / price)} lower than with ${plain.name}`
}

function noneSentence(candidates: readonly Evaluated[]): string {
  if (candidates.length === 0)
    return 'No field of the sample can be a key: a key needs a field, such as an id, that nearly all records have, and that has different values. Add such a field to the records.'
  const [first] = candidates.filter(({ report }) => report.hardLimits.length > 0)
  const limit = first === undefined ? '' : ` For example, ${first.report.name}: ${first.report.hardLimits[0]}`
  return `No key of this sample is possible for this load.${limit}`
}
