import {
  type AccountOptions,
  type ContainerFacts,
  CosmosError,
  openAccount,
  openXray,
  pointerOfPath,
  type Unseen,
  type Xray
} from '@keystamp/cosmos'
import { isKeystampError, type PlanDefinition } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import {
  type CheckedContainer,
  type CheckedOptions,
  type CheckedPrices,
  countSample,
  type Fact,
  type MoveFacts,
  readCheckedPlan,
  type SampleFacts
} from '@keystamp/move'
import { createRandom, LIST_PRICES, pointReadCharge, writeCharge } from '@keystamp/planner'
import { createTargetRecipe } from './target-recipe.ts'

/** A container, with the credentials for it. */
export type MoveSide = AccountOptions & { readonly endpoint: string }

export interface ReadMoveFactsOptions {
  readonly source: MoveSide
  readonly target: MoveSide
  readonly plan: PlanDefinition
  /** JSON pointer of the member that keeps the old id. Required if the plan makes new ids. */
  readonly keepIdIn?: string | undefined
  readonly options: CheckedOptions
  /** Regions of the account of the target, for the price. Default: 1. */
  readonly regions?: number | undefined
  /** Documents to draw. Default: 5,000. */
  readonly documents?: number | undefined
  /** RU/s that the requests to a container may take. Default: 500. */
  readonly maxRuPerSecond?: number | undefined
  /** Default: 1. */
  readonly seed?: number | undefined
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Called with what is read next. */
  readonly onProgress?: ((what: string) => void) | undefined
  /** Called before a request is repeated, with the milliseconds since its first attempt. */
  readonly onRetry?: ((error: CosmosError, waitedMs: number) => void) | undefined
}

const DEFAULT_DOCUMENTS = 5000
const DEFAULT_RU_PER_SECOND = 500

/**
 * Reads the facts of a move from both containers, and writes nothing. Throws if the source does not exist, or if the
 * plan cannot be used for a move.
 */
export async function readMoveFacts(options: ReadMoveFactsOptions): Promise<MoveFacts> {
  const { source, target, onProgress = () => {} } = options
  const [from, to] = [source, target].map((side) => openSide(side, options))
  try {
    onProgress('reading the source')
    const known = await from.facts()
    const read = await readContainer(source, from)
    onProgress('reading the target')
    const found = await orMissing(() => to.facts())
    const there = found === undefined ? null : await readContainer(target, to)
    const copy = {
      plan: options.plan,
      sourceKeyPaths: known.definition.partitionKey.paths.map((path) => parsePointer(pointerOfPath(path)) ?? []),
      sourceDefaultTtl: known.definition.defaultTtl,
      ttl: options.options.ttl,
      keepIdIn: options.keepIdIn
    }
    const plan = readCheckedPlan(copy)
    onProgress('sampling documents')
    const partitionKey = there?.definition.partitionKey ?? {
      paths: [...plan.keyPaths],
      kind: plan.keyPaths.length > 1 ? 'MultiHash' : 'Hash',
      version: plan.hashVersion
    }
    const sample = await readSample(from, options, (documents) =>
      countSample(documents, {
        copy,
        target: { partitionKey, uniqueKeys: (there ?? read).definition.uniqueKeys },
        indexingPolicy: (there ?? read).settings['indexingPolicy'] ?? {},
        nowMs: options.nowMs
      })
    )
    return {
      source: read,
      target: there,
      targetName: nameOf(target),
      plan,
      sample,
      charges: chargesOf(sample),
      recipe: createTargetRecipe(read, plan, target),
      prices: { value: pricesOf(options) },
      options: options.options
    }
  } finally {
    onProgress('')
    from.close()
    to.close()
  }
}

function openSide(side: MoveSide, { maxRuPerSecond, seed = 1, signal, onRetry }: ReadMoveFactsOptions): Xray {
  return openXray({
    ...side,
    maxRuPerSecond: maxRuPerSecond ?? DEFAULT_RU_PER_SECOND,
    random: createRandom(seed),
    signal,
    ...(onRetry === undefined ? {} : { onRetry })
  })
}

/** `database/container at host`. */
function nameOf({ endpoint, database, container }: MoveSide): string {
  return `${database}/${container} at ${new URL(endpoint).host}`
}

async function orMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isKeystampError(error) && error.code === 'CONTAINER_MISSING') return undefined
    throw error
  }
}

async function readContainer(side: MoveSide, xray: Xray): Promise<CheckedContainer> {
  const facts = await xray.facts()
  const [feed, scripts] = [await xray.versionsFeed(), await xray.scripts()]
  return {
    name: nameOf(side),
    definition: facts.definition,
    settings: facts.settings,
    versionsFeed: 'unknown' in feed ? feed : { value: feed },
    scripts: 'unknown' in scripts ? scripts : { value: scripts },
    throughput: throughputOf(facts),
    partitions: facts.ranges.length,
    hasWriteRegions: await hasWriteRegions(side),
    documents: knownOr(facts.documents, facts, 'quota'),
    bytes: knownOr(facts.bytes, facts, 'quota'),
    largestKeyBytes: largestKeyOf(facts)
  }
}

async function hasWriteRegions(side: MoveSide): Promise<boolean> {
  const account = openAccount(side)
  try {
    return await account.hasWriteRegions()
  } finally {
    account.close()
  }
}

function throughputOf(facts: ContainerFacts): CheckedContainer['throughput'] {
  const { offer, isServerless } = facts
  if (isServerless) return { value: { kind: 'serverless', ruPerSecond: null, isShared: false } }
  return knownOr(
    offer === null
      ? null
      : {
          kind: offer.autoscaleMax === undefined ? ('manual' as const) : ('autoscale' as const),
          ruPerSecond: offer.ruPerSecond,
          isShared: offer.of === 'database'
        },
    facts,
    'offer'
  )
}

function largestKeyOf(facts: ContainerFacts): Fact<number> {
  const isKnown = facts.ranges.every(({ statistics }) => statistics !== null)
  const sizes = facts.ranges.flatMap(({ statistics }) => (statistics?.largestKeys ?? []).map(({ bytes }) => bytes))
  return knownOr(isKnown ? Math.max(0, ...sizes) : null, facts, 'statistics')
}

function knownOr<T>(value: T | null, { unseen }: ContainerFacts, what: Unseen['what']): Fact<T> {
  if (value !== null) return { value }
  return { unknown: unseen.find((each) => each.what === what)?.reason ?? 'The service did not tell.' }
}

async function readSample(
  xray: Xray,
  { documents = DEFAULT_DOCUMENTS }: ReadMoveFactsOptions,
  count: (documents: readonly object[]) => SampleFacts
): Promise<Fact<SampleFacts>> {
  try {
    // the time to live needs `_ts`
    const { sample } = await xray.sample(documents, { keepsSystemProperties: true })
    return { value: count(sample) }
  } catch (error) {
    if (!(error instanceof CosmosError) || error.retriable) throw error
    return { unknown: error.message }
  }
}

/** Charges of a document of mean size. */
function chargesOf(sample: Fact<SampleFacts>): MoveFacts['charges'] {
  if ('unknown' in sample) return { unknown: 'No documents were read.' }
  const { meanBytes: itemBytes, meanIndexedValues: indexedValues } = sample.value
  return {
    value: {
      readRu: pointReadCharge(itemBytes, 'session'),
      writeRu: writeCharge({ operation: 'create', itemBytes, indexedValues })
    }
  }
}

function pricesOf({ regions = 1 }: ReadMoveFactsOptions): CheckedPrices {
  const { manualPer100RuHour, autoscalePer100RuHour, serverlessPerMillionRu, currency, listDate } = LIST_PRICES
  return { manualPer100RuHour, autoscalePer100RuHour, serverlessPerMillionRu, regions, currency, listDate }
}
