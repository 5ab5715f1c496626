import type { Share } from '@keystamp/cosmos'
import type { MoveEstimate } from './move-check.ts'
import { type CheckedThroughput, type Fact, type MoveFacts, valueOf } from './move-facts.ts'
import { plural } from './quantity.ts'

const SECONDS_PER_HOUR = 3600

/** RU, time and price of the copy. */
export function estimateMove(facts: MoveFacts): MoveEstimate {
  const { source, charges, options } = facts
  const documents = valueOf(source.documents)
  const each = valueOf(charges)
  const [readRu, writeRu] =
    documents === undefined || each === undefined ? [null, null] : [documents * each.readRu, documents * each.writeRu]
  const readRate = rateOf(options.readShare ?? '100%', valueOf(source.throughput)?.ruPerSecond ?? null)
  const writeRate = rateOf(options.writeShare, targetThroughputOf(facts)?.ruPerSecond ?? null)
  const [readSeconds, writeSeconds] = [secondsOf(readRu, readRate), secondsOf(writeRu, writeRate)]
  const seconds = longer(readSeconds, writeSeconds, facts)
  return {
    readRu: rounded(readRu),
    writeRu: rounded(writeRu),
    compareRu: rounded(readRu),
    readRuPerSecond: readRate,
    writeRuPerSecond: writeRate,
    seconds: rounded(seconds),
    limitedBy: seconds === null ? null : seconds === readSeconds ? 'source' : 'target',
    ...costOf(facts, { seconds, readRu, writeRu }),
    assumes: assumptionsOf(facts)
  }
}

const ASSUMPTIONS = [
  'Charges of Microsoft’s tables for documents of mean size.',
  'New keys that are spread evenly over the physical partitions.',
  'No changes during the copy, and no other use of the shares.'
]

function assumptionsOf({ prices }: MoveFacts): readonly string[] {
  const known = valueOf(prices)
  if (known === undefined) return ASSUMPTIONS
  return [...ASSUMPTIONS, `Prices of ${known.listDate} for ${plural(known.regions, 'region')}, without storage.`]
}

/** Throughput of the target: of the container that exists, or of the one that the recipe creates. */
export function targetThroughputOf({ target, source, recipe }: MoveFacts): CheckedThroughput | undefined {
  if (target !== null) return valueOf(target.throughput)
  const kind = valueOf(source.throughput)?.kind
  const { createRuPerSecond, runRuPerSecond } = recipe
  return createRuPerSecond === null
    ? kind === 'serverless'
      ? { kind, ruPerSecond: null, isShared: false }
      : undefined
    : {
        kind: kind === 'autoscale' ? kind : 'manual',
        ruPerSecond: Math.max(createRuPerSecond, runRuPerSecond ?? 0),
        isShared: false
      }
}

function rateOf(share: Share, ruPerSecond: number | null): number | null {
  if (typeof share === 'number') return ruPerSecond === null ? share : Math.min(share, ruPerSecond)
  return ruPerSecond === null ? null : (ruPerSecond * Number(share.slice(0, -1))) / 100
}

function secondsOf(ru: number | null, rate: number | null): number | null {
  return ru === null || rate === null || rate <= 0 ? null : ru / rate
}

/** The longer of two times. A serverless side has no rate, and only throttling limits it. */
function longer(readSeconds: number | null, writeSeconds: number | null, facts: MoveFacts): number | null {
  if (readSeconds !== null && writeSeconds !== null) return Math.max(readSeconds, writeSeconds)
  if (readSeconds === null && isServerless(facts.source.throughput)) return writeSeconds
  return null
}

function isServerless(throughput: Fact<CheckedThroughput>): boolean {
  return valueOf(throughput)?.kind === 'serverless'
}

interface Spent {
  readonly seconds: number | null
  readonly readRu: number | null
  readonly writeRu: number | null
}

/** Price of the target during the copy; of serverless, the RU themselves. */
function costOf(facts: MoveFacts, { seconds, readRu, writeRu }: Spent): Pick<MoveEstimate, 'cost' | 'currency'> {
  const prices = valueOf(facts.prices)
  const throughput = targetThroughputOf(facts)
  if (prices === undefined || throughput === undefined || readRu === null || writeRu === null)
    return { cost: null, currency: prices?.currency ?? null }
  const { currency } = prices
  const perMillion = prices.serverlessPerMillionRu / 1e6
  const reading = isServerless(facts.source.throughput) ? readRu * perMillion : 0
  if (throughput.kind === 'serverless') return { cost: cents(reading + writeRu * perMillion), currency }
  if (seconds === null || throughput.ruPerSecond === null) return { cost: null, currency }
  const per100 = throughput.kind === 'autoscale' ? prices.autoscalePer100RuHour : prices.manualPer100RuHour
  const hours = seconds / SECONDS_PER_HOUR
  return { cost: cents(reading + (throughput.ruPerSecond / 100) * per100 * hours * prices.regions), currency }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value)
}

function cents(value: number): number {
  return Math.round(value * 100) / 100
}
