import type { CheckedContainer, MoveFacts } from '@keystamp/move'
import { createTargetRecipe } from '../../src/rekey/target-recipe.ts'

export const TARGET_NAME = {
  endpoint: 'https://my-account.documents.azure.com/',
  database: 'fleet',
  container: 'drives-2'
}

export const SOURCE: CheckedContainer = {
  name: 'fleet/drives at my-account.documents.azure.com',
  definition: {
    rid: 'AAAAAYAAAAE=',
    partitionKey: { paths: ['/deviceId'], kind: 'Hash', version: 1 },
    defaultTtl: undefined,
    uniqueKeys: []
  },
  settings: {
    indexingPolicy: {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/"_etag"/?' }]
    }
  },
  versionsFeed: { value: { isOn: true, retentionMinutes: 7 * 24 * 60, previousImages: null } },
  scripts: { value: { storedProcedures: ['addDrive'], triggers: [], functions: [] } },
  throughput: { value: { kind: 'manual', ruPerSecond: 20_000, isShared: false } },
  partitions: 4,
  hasWriteRegions: false,
  documents: { value: 100_000_000 },
  bytes: { value: 100e9 },
  largestKeyBytes: { value: 12e9 }
}

const PLAN: MoveFacts['plan'] = {
  basis: 'fields',
  fields: ['/region'],
  reverseBasis: 'fields',
  keyPaths: ['/key'],
  hashVersion: 2,
  makesIds: false,
  oldKey: 'as-text'
}

/** A move with findings of each kind, whose target does not exist. */
export const FACTS: MoveFacts = {
  source: SOURCE,
  target: null,
  targetName: 'fleet/drives-2 at my-account.documents.azure.com',
  plan: PLAN,
  sample: {
    value: {
      documents: 5000,
      meanBytes: 1000,
      meanIndexedValues: 10,
      meanEntryBytes: 64,
      rejected: [
        {
          code: 'FIELD_MISSING',
          message: 'The field /region is missing.',
          documents: 15
        }
      ],
      expiring: 0,
      collisions: 1,
      uniqueConflicts: 0,
      largestKey: { hash: '0A1B2C3D', documents: 100, share: 0.02 },
      sharedKeys: 400,
      tornKeys: 100,
      mortal: 0,
      inherited: 0,
      longestLife: null,
      secondsLeft: []
    }
  },
  charges: { value: { readRu: 1, writeRu: 7 } },
  recipe: createTargetRecipe(SOURCE, PLAN, TARGET_NAME),
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
    creates: true,
    readShare: '30%',
    writeShare: '80%',
    ttl: 'remaining',
    readsVersions: true,
    isFenced: false,
    sweeps: true,
    keepsIndex: true
  }
}
