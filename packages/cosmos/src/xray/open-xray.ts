import { checkOptionNames, createClock } from '@keystamp/core/internal'
import { KeystampError } from '@keystamp/core'
import { ACCOUNT_OPTION_NAMES, type AccountOptions, checkAccountOptions } from '../client/account-options.ts'
import type { CosmosError } from '../client/cosmos-error.ts'
import { type ContainerFacts, readContainerFacts, readRanges } from './container-facts.ts'
import { type MergedRange, RangeRoutes, type SplitRange } from './range-routes.ts'
import { type Changes, type ReadChanges, readRecentChanges } from './recent-changes.ts'
import { Allowance, MIN_LIMIT_RU, RuLimiter } from './ru-limiter.ts'
import { readSampledDocuments, type SampledDocuments } from './sampled-documents.ts'
import { readStoredScripts, type StoredScripts } from './stored-scripts.ts'
import { readVersionsFeed, type VersionsFeedFacts } from './versions-feed.ts'
import { createXrayRequests } from './xray-requests.ts'

export interface XrayOptions extends AccountOptions {
  /** RU/s that all requests together may take, at least 20. */
  readonly maxRuPerSecond: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
  /** Called before a request is repeated, with the milliseconds since its first attempt. */
  readonly onRetry?: (error: CosmosError, waitedMs: number) => void
}

export interface ReadChangesOptions {
  /** Seconds since 1970. */
  readonly from: number
  /** Seconds since 1970, not included. */
  readonly to: number
  /** Called for each page. The changes of a window that is not in the result must be ignored. */
  readonly onChanges: (changes: Changes) => void
}

export interface SampleOptions {
  /** Whether the documents keep the properties that Cosmos DB adds, such as `_ts`. */
  readonly keepsSystemProperties?: boolean
}

/** Reads what the data plane tells about a container, and writes nothing. Its requests are sent one after the other. */
export interface Xray {
  readonly facts: () => Promise<ContainerFacts>
  /** Reads the documents that were written in a period, or an even part of them if there are too many. */
  readonly changes: (options: ReadChangesOptions) => Promise<ReadChanges>
  /** Draws documents at random, by default without the properties that Cosmos DB adds. */
  readonly sample: (count: number, options?: SampleOptions) => Promise<SampledDocuments>
  /** Names of stored procedures, triggers and functions, or why they are unknown. */
  readonly scripts: () => Promise<StoredScripts | { readonly unknown: string }>
  /** Whether the container has the change feed of all versions and deletes, or why that is unknown. */
  readonly versionsFeed: () => Promise<VersionsFeedFacts | { readonly unknown: string }>
  /** Physical partitions that were split after `facts` had read them. Changes of the children count for the parent. */
  readonly splits: () => readonly SplitRange[]
  /** Physical partitions that were merged after `facts` had read them. Their changes count as those before the merge. */
  readonly merges: () => readonly MergedRange[]
  /** RU of all requests so far. */
  readonly chargeRu: () => number
  readonly requests: () => number
  readonly close: () => void
}

/** Seconds after which each part of the reading ends, and RU that these seconds have, so that a run always ends. */
const CHANGES_SECONDS = 40
const SAMPLE_SECONDS = 25

/** Opens a container to look at. Sends nothing before the first call of a method. */
export function openXray(given: XrayOptions): Xray {
  const { maxRuPerSecond, random, signal = new AbortController().signal, onRetry, ...accountOptions } = given
  checkOptionNames(accountOptions, ACCOUNT_OPTION_NAMES)
  if (!(maxRuPerSecond >= MIN_LIMIT_RU))
    throw new KeystampError(
      'OPTION_INVALID',
      `\`maxRuPerSecond\` must be at least ${MIN_LIMIT_RU} RU/s: a single request takes two to three RU.`
    )
  const account = checkAccountOptions(accountOptions)
  const clock = createClock(globalThis)
  const limiter = new RuLimiter(maxRuPerSecond, clock)
  const requests = createXrayRequests({ account, limiter, clock, signal, onRetry })
  const { requestRu } = limiter
  const allow = (seconds: number): Allowance => new Allowance(limiter, clock, maxRuPerSecond * seconds, seconds * 1000)
  const name = `${account.database}/${account.container}`
  let known: Promise<ContainerFacts> | undefined
  const facts = (): Promise<ContainerFacts> => (known ??= readContainerFacts(requests, name))
  let routes: RangeRoutes | undefined
  const routed = async () => {
    const { ranges } = await facts()
    routes ??= new RangeRoutes({ ranges, readRanges: () => readRanges(requests, name), clock, signal })
    return { requests, requestRu, ranges, routes }
  }
  return {
    facts,
    changes: async ({ from, to, onChanges }) => {
      const { ranges, ...options } = await routed()
      const rangeIds = ranges.map(({ id }) => id)
      const allowance = allow(CHANGES_SECONDS)
      return readRecentChanges({ ...options, rangeIds, period: { from, to }, allowance, onChanges })
    },
    sample: async (count, { keepsSystemProperties = false } = {}) => {
      const options = await routed()
      return readSampledDocuments({
        ...options,
        count,
        keepsSystemProperties,
        allowance: allow(SAMPLE_SECONDS),
        random
      })
    },
    scripts: () => readStoredScripts(requests, name),
    versionsFeed: async () => readVersionsFeed({ ...(await routed()), settings: (await facts()).settings }),
    splits: () => routes?.splits ?? [],
    merges: () => routes?.merges ?? [],
    chargeRu: () => limiter.chargeRu,
    requests: () => limiter.requests,
    close: requests.close
  }
}
