import type { CheckedContainer, MoveFacts } from '../../src/check/move-facts.ts'
import type { SampleFacts } from '../../src/check/sample-counter.ts'

const INDEXING = { indexingMode: 'consistent', includedPaths: [{ path: '/*' }], excludedPaths: [] }

/** A container in which nothing is special. */
const PLAIN: CheckedContainer = {
  name: 'fleet/drives at my-account.documents.azure.com',
  definition: {
    rid: 'AAAAAYAAAAE=',
    partitionKey: { paths: ['/deviceId'], kind: 'Hash', version: 2 },
    defaultTtl: undefined,
    uniqueKeys: []
  },
  settings: { indexingPolicy: INDEXING },
  versionsFeed: { value: { isOn: true, retentionMinutes: 7 * 24 * 60, previousImages: 'none' } },
  scripts: { value: { storedProcedures: [], triggers: [], functions: [] } },
  throughput: { value: { kind: 'manual', ruPerSecond: 40_000, isShared: false } },
  partitions: 4,
  hasWriteRegions: false,
  documents: { value: 100_000_000 },
  bytes: { value: 100e9 },
  largestKeyBytes: { value: 1e9 }
}

const SAMPLE: SampleFacts = {
  documents: 10_000,
  meanBytes: 1000,
  meanIndexedValues: 10,
  meanEntryBytes: 64,
  rejected: [],
  expiring: 0,
  collisions: 0,
  uniqueConflicts: 0,
  largestKey: { hash: '0A1B2C3D', documents: 100, share: 0.01 },
  sharedKeys: 500,
  tornKeys: 0,
  mortal: 0,
  inherited: 0,
  longestLife: null,
  secondsLeft: []
}

/** A sample in which 4,000 documents expire, at the latest after the given seconds. */
export function mortalSample(life: number, others: Partial<SampleFacts> = {}): MoveFacts['sample'] {
  const secondsLeft = Array.from({ length: 4000 }, (_, index) => Math.round((life * (index + 1)) / 4000))
  return { value: { ...SAMPLE, mortal: 4000, inherited: 3000, longestLife: life, secondsLeft, ...others } }
}

/** Facts of a move in which nothing stops, and nothing needs a confirmation. */
const FACTS: MoveFacts = {
  source: PLAIN,
  target: {
    ...PLAIN,
    name: 'fleet/drives-2 at my-account.documents.azure.com',
    definition: {
      ...PLAIN.definition,
      rid: 'AAAAAYAAAAE=',
      partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 }
    },
    throughput: { value: { kind: 'manual', ruPerSecond: 20_000, isShared: false } },
    documents: { value: 0 },
    bytes: { value: 0 },
    largestKeyBytes: { value: 0 }
  },
  targetName: 'fleet/drives-2 at my-account.documents.azure.com',
  plan: {
    basis: 'identity',
    fields: [],
    reverseBasis: 'identity',
    keyPaths: ['/key'],
    hashVersion: 2,
    makesIds: false,
    oldKey: 'kept'
  },
  sample: { value: SAMPLE },
  charges: { value: { readRu: 1, writeRu: 7 } },
  recipe: {
    partitions: 4,
    createRuPerSecond: 24_000,
    runRuPerSecond: 20_000,
    json: '{\n  "id": "drives-2"\n}',
    az: 'az cosmosdb sql container create',
    steps: ['Create the container with 24,000 RU/s: it then has 4 physical partitions.']
  },
  prices: {
    value: {
      manualPer100RuHour: 0.008,
      autoscalePer100RuHour: 0.012,
      serverlessPerMillionRu: 0.25,
      regions: 1,
      currency: 'USD',
      listDate: '2026-05-01'
    }
  },
  options: {
    creates: false,
    readShare: '30%',
    writeShare: '100%',
    ttl: 'remaining',
    readsVersions: true,
    isFenced: false,
    sweeps: true,
    keepsIndex: true
  }
}

export type Change = (facts: MoveFacts) => Partial<MoveFacts>

export const inSource =
  (change: Partial<CheckedContainer>): Change =>
  ({ source }) => ({ source: { ...source, ...change } })

export const inTarget =
  (change: Partial<CheckedContainer>): Change =>
  ({ target }) => ({ target: { ...target!, ...change } })

export const inDefinition =
  (side: 'source' | 'target', change: Partial<CheckedContainer['definition']>): Change =>
  (facts) => ({ [side]: { ...facts[side]!, definition: { ...facts[side]!.definition, ...change } } })

export const inSample =
  (change: Partial<SampleFacts>): Change =>
  () => ({ sample: { value: { ...SAMPLE, ...change } } })

export const inPlan =
  (change: Partial<MoveFacts['plan']>): Change =>
  ({ plan }) => ({ plan: { ...plan, ...change } })

export const inOptions =
  (change: Partial<MoveFacts['options']>): Change =>
  ({ options }) => ({ options: { ...options, ...change } })

/** The facts after all changes. */
export function factsWith(...changes: readonly Change[]): MoveFacts {
  return changes.reduce<MoveFacts>((facts, change) => ({ ...facts, ...change(facts) }), FACTS)
}

/** Without a change feed of all versions and deletes. */
export const NO_FEED: Partial<CheckedContainer> = {
  versionsFeed: { value: { isOn: false, retentionMinutes: null, previousImages: null } }
}

/** A plan that depends on a field other than key and id. */
export const DEPENDENT: Change = inPlan({ basis: 'fields', fields: ['/region'], reverseBasis: 'fields' })

export const DAY = 86_400

/** Documents that expire in some days. */
export const expiresIn =
  (days: number): Change =>
  () => ({ sample: mortalSample(days * DAY) })
