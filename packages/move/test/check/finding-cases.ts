import type { FindingCode, Severity } from '../../src/check/move-check.ts'
import {
  type Change,
  inDefinition,
  inOptions,
  inPlan,
  inSample,
  inSource,
  inTarget,
  mortalSample,
  NO_FEED,
  DEPENDENT,
  DAY,
  expiresIn
} from './facts.ts'

/** A finding with facts that have it, and facts that come close. */
export interface FindingCase {
  readonly code: FindingCode
  readonly severity: Severity
  readonly says: string
  readonly present: readonly Change[]
  readonly absent: readonly Change[]
}

const scripts = (...storedProcedures: readonly string[]) => ({
  scripts: { value: { storedProcedures, triggers: [], functions: ['toKm'] } }
})

/** One case for each finding, but for the one that every move has. */
export const FINDING_CASES: readonly FindingCase[] = [
  {
    code: 'same-container',
    severity: 'stops',
    says: 'fleet/drives at',
    present: [inTarget({ name: 'fleet/drives at my-account.documents.azure.com' })],
    absent: []
  },
  {
    code: 'target-missing',
    severity: 'stops',
    says: 'There is no container fleet/drives-2',
    present: [() => ({ target: null })],
    absent: [() => ({ target: null }), inOptions({ creates: true })]
  },
  {
    code: 'target-key-differs',
    severity: 'stops',
    says: 'into /key, but the partition key of the target is /region',
    present: [inDefinition('target', { partitionKey: { paths: ['/region'], kind: 'Hash', version: 2 } })],
    absent: [
      inDefinition('target', { partitionKey: { paths: ['/"a b"/c'], kind: 'Hash', version: 2 } }),
      inPlan({ keyPaths: ['/a b/c'] })
    ]
  },
  {
    code: 'hash-version-differs',
    severity: 'stops',
    says: 'made for hash version 2, but the target has hash version 1',
    present: [inDefinition('target', { partitionKey: { paths: ['/key'], kind: 'Hash', version: 1 } })],
    absent: [inDefinition('target', { partitionKey: { paths: ['/key'], kind: 'MultiHash', version: 1 } })]
  },
  {
    code: 'target-not-empty',
    severity: 'needs confirmation',
    says: '1 document.',
    present: [inTarget({ documents: { value: 1 } })],
    absent: [inTarget({ documents: { unknown: 'No quota.' } })]
  },
  {
    code: 'target-never-expires',
    severity: 'needs confirmation',
    says: 'no DefaultTimeToLive',
    present: [inDefinition('source', { defaultTtl: 90 * DAY })],
    absent: [inDefinition('source', { defaultTtl: -1 })]
  },
  {
    code: 'target-settings-differ',
    severity: 'needs confirmation',
    says: 'differ in computedProperties and indexingPolicy, so queries',
    present: [inTarget({ settings: { indexingPolicy: { indexingMode: 'none' }, computedProperties: [] } })],
    // the order of properties does not matter
    absent: [
      inTarget({
        settings: {
          indexingPolicy: { excludedPaths: [], includedPaths: [{ path: '/*' }], indexingMode: 'consistent' },
          changeFeedPolicy: { retentionDuration: 60 }
        }
      })
    ]
  },
  {
    code: 'target-partitions-few',
    severity: 'note',
    says: '3 physical partitions, but the data needs 4',
    present: [inTarget({ partitions: 3 })],
    absent: [inTarget({ partitions: 5 })]
  },
  {
    code: 'throughput-shared',
    severity: 'needs confirmation',
    says: 'The source and target share their throughput',
    present: [inSource, inTarget].map((inSide) =>
      inSide({ throughput: { value: { kind: 'autoscale', ruPerSecond: 10_000, isShared: true } } })
    ),
    absent: [inSource({ throughput: { unknown: 'A role may not read it.' } })]
  },
  {
    code: 'write-regions',
    severity: 'needs confirmation',
    says: 'The accounts of the source and target have several write regions: the move reads and writes one of them',
    present: [inSource({ hasWriteRegions: true }), inTarget({ hasWriteRegions: true })],
    absent: [inOptions({ isFenced: true })]
  },
  {
    code: 'write-regions',
    severity: 'stops',
    says: 'The account of the target has several write regions, where a marker of --fence',
    present: [inTarget({ hasWriteRegions: true }), inOptions({ isFenced: true })],
    absent: [inOptions({ isFenced: true })]
  },
  {
    code: 'documents-rejected',
    severity: 'needs confirmation',
    says: '30 of 10,000 documents in the sample (FIELD_MISSING 0.3 %)',
    present: [
      inSample({ rejected: [{ code: 'FIELD_MISSING', message: 'The record has no /region.', documents: 30 }] })
    ],
    absent: [() => ({ sample: { unknown: 'Nothing was read.' } })]
  },
  {
    code: 'collisions',
    severity: 'stops',
    says: '2 documents of the sample',
    present: [inSample({ collisions: 2 })],
    absent: [inSample({ collisions: 0 })]
  },
  {
    code: 'collisions-possible',
    severity: 'note',
    says: 'does not keep /deviceId in the new key',
    present: [inPlan({ oldKey: 'lost' })],
    absent: [inPlan({ oldKey: 'lost' }), inSample({ collisions: 1 })]
  },
  {
    code: 'key-near-20-gb',
    severity: 'needs confirmation',
    says: 'which is 17 GB',
    present: [inSample({ largestKey: { hash: '0A', documents: 1700, share: 0.17 } })],
    absent: [inSample({ largestKey: { hash: '0A', documents: 1500, share: 0.15 } })]
  },
  {
    code: 'transactions-torn',
    severity: 'needs confirmation',
    says: '25 % of the old keys',
    present: [inSample({ tornKeys: 125 })],
    absent: [inSample({ sharedKeys: 0 })]
  },
  {
    code: 'unique-keys',
    severity: 'needs confirmation',
    says: '(/plate and /vin with /year)',
    present: [inDefinition('target', { uniqueKeys: [['/plate'], ['/vin', '/year']] })],
    absent: [inDefinition('source', { uniqueKeys: [['/plate']] })]
  },
  {
    code: 'new-ids',
    severity: 'needs confirmation',
    says: 'other ids',
    present: [inPlan({ makesIds: true })],
    absent: []
  },
  {
    code: 'deletes-unseen',
    severity: 'needs confirmation',
    says: 'deletes in the source are not seen',
    present: [inSource(NO_FEED), inOptions({ sweeps: false })],
    absent: [inOptions({ sweeps: false })]
  },
  {
    code: 'key-changes-unseen',
    severity: 'needs confirmation',
    says: 'After a change of /region',
    present: [DEPENDENT, inOptions({ sweeps: false, keepsIndex: false })],
    absent: [inOptions({ sweeps: false, keepsIndex: false })]
  },
  {
    code: 'deletes-by-sweep',
    severity: 'note',
    says: 'only when the containers are compared',
    present: [inSource(NO_FEED)],
    absent: [DEPENDENT]
  },
  {
    code: 'index-large',
    severity: 'needs confirmation',
    says: 'takes up to 1.01 GB of memory, and about 5.38 GB on the disk, where it can have 34.4 GB',
    present: [DEPENDENT, inSource({ documents: { value: 84_000_000 } })],
    absent: [DEPENDENT, inSource({ documents: { value: 83_000_000 } })]
  },
  {
    code: 'retention-short',
    severity: 'needs confirmation',
    says: 'The copy takes 9.7 hours, but the change feed of all versions and deletes goes back only 12 hours',
    present: [inSource({ versionsFeed: { value: { isOn: true, retentionMinutes: 720, previousImages: null } } })],
    absent: [inSource({ versionsFeed: { value: { isOn: true, retentionMinutes: 730, previousImages: null } } })]
  },
  {
    code: 'back-loses-documents',
    severity: 'note',
    says: 'only documents that have /deviceId',
    present: [DEPENDENT],
    absent: [inPlan({ basis: 'fields', fields: ['/region'] })]
  },
  {
    code: 'ttl-written',
    severity: 'needs confirmation',
    says: '40 % of the sample get a shorter `ttl`, 3,000 documents without one before',
    present: [inDefinition('source', { defaultTtl: 90 * DAY }), expiresIn(90)],
    absent: [inDefinition('source', { defaultTtl: 90 * DAY }), expiresIn(90), inOptions({ ttl: 'restart' })]
  },
  {
    code: 'ttl-restarts',
    severity: 'needs confirmation',
    says: 'live longer',
    present: [inDefinition('source', { defaultTtl: 90 * DAY }), expiresIn(90), inOptions({ ttl: 'restart' })],
    absent: [inDefinition('source', { defaultTtl: 90 * DAY }), expiresIn(90)]
  },
  {
    code: 'ttl-expires-first',
    severity: 'note',
    says: '0.18 % of the sample expires before the copy ends, after 9.7 hours',
    present: [inDefinition('source', { defaultTtl: 90 * DAY }), expiresIn(90)],
    absent: [
      inDefinition('source', { defaultTtl: 90 * DAY }),
      () => ({ sample: mortalSample(90 * DAY, { secondsLeft: [40_000] }) })
    ]
  },
  {
    code: 'let-data-expire',
    severity: 'note',
    says: 'expired in 14 days',
    present: [inDefinition('source', { defaultTtl: 14 * DAY }), expiresIn(14)],
    absent: [
      inDefinition('source', { defaultTtl: 14 * DAY }),
      () => ({ sample: mortalSample(14 * DAY, { longestLife: null }) })
    ]
  },
  {
    code: 'scripts-not-copied',
    severity: 'needs confirmation',
    says: 'stored procedures addDrive; user-defined functions toKm',
    present: [
      inSource(scripts('addDrive', 'known')),
      inTarget({ scripts: { value: { storedProcedures: ['known'], triggers: [], functions: [] } } })
    ],
    absent: [inSource(scripts('addDrive')), inTarget(scripts('addDrive', 'other'))]
  },
  {
    code: 'hash-version-changes',
    severity: 'note',
    says: 'The source hashes keys by version 1, the target by version 2',
    present: [inDefinition('source', { partitionKey: { paths: ['/deviceId'], kind: 'Hash', version: 1 } })],
    absent: [inDefinition('source', { partitionKey: { paths: ['/deviceId'], kind: 'MultiHash', version: 1 } })]
  }
]
