import { describe, expect, it } from 'vitest'
import { checkMove } from '../../src/check/check-move.ts'
import { FINDING_CODES, type FindingCode, type Severity } from '../../src/check/move-check.ts'
import {
  type Change,
  factsWith,
  inDefinition,
  inOptions,
  inPlan,
  inSample,
  inSource,
  inTarget,
  mortalSample
} from './facts.ts'

const NO_FEED = { versionsFeed: { value: { isOn: false, retentionMinutes: null, previousImages: null } } }
const DEPENDENT = inPlan({ basis: 'fields', fields: ['/region'], reverseBasis: 'fields' })
const DAY = 86_400
const expiresIn =
  (days: number): Change =>
  () => ({ sample: mortalSample(days * DAY) })
const scripts = (...storedProcedures: readonly string[]) => ({
  scripts: { value: { storedProcedures, triggers: [], functions: ['toKm'] } }
})

/** Each finding with facts that have it, and facts that come close. */
const CASES: readonly {
  readonly code: FindingCode
  readonly severity: Severity
  readonly says: string
  readonly present: readonly Change[]
  readonly absent: readonly Change[]
}[] = [
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

describe('checkMove', () => {
  it.each(CASES)('finds $code', ({ code, severity, says, present }) => {
    const { findings } = checkMove(factsWith(...present))

    const found = findings.find((each) => each.code === code)
    expect(found).toMatchObject({ severity })
    expect(found?.sentence).toContain(says)
  })

  it.each(CASES)('does not find $code where there is none', ({ code, absent }) => {
    expect(checkMove(factsWith()).findings.map((each) => each.code)).not.toContain(code)
    expect(checkMove(factsWith(...absent)).findings.map((each) => each.code)).not.toContain(code)
  })

  it('has a case for each finding, but for the one that every move has', () => {
    const codes = [...CASES.map(({ code }) => code), 'system-properties-change']
    expect(codes.toSorted()).toEqual(FINDING_CODES.toSorted())
    expect(checkMove(factsWith()).findings.map(({ code }) => code)).toEqual(['system-properties-change'])
  })

  it('lets a move begin, after a confirmation, or not at all', () => {
    expect(verdictOf()).toEqual({
      kind: 'ready',
      sentence: 'The move can begin: no finding of this check needs a confirmation.'
    })
    expect(verdictOf(inPlan({ makesIds: true }))).toEqual({
      kind: 'needs confirmation',
      sentence: 'The move can begin after 1 finding of this check is confirmed (new-ids).'
    })
    expect(
      verdictOf(inPlan({ makesIds: true }), inSample({ collisions: 1, tornKeys: 1 }), () => ({ target: null }))
    ).toEqual({
      kind: 'stops',
      sentence: 'The move cannot begin: 2 findings of this check stop it (target-missing and collisions).'
    })
  })

  it('lists the most severe findings first', () => {
    const { findings } = checkMove(
      factsWith(inSource(NO_FEED), inPlan({ makesIds: true }), inSample({ collisions: 1 }))
    )

    expect(findings.map(({ severity }) => severity)).toEqual(['stops', 'needs confirmation', 'note', 'note'])
  })

  it('stops if the plan rejects every document', () => {
    const rejected = [{ code: 'FIELD_MISSING', message: 'The record has no /region.', documents: 10_000 }]

    expect(checkMove(factsWith(inSample({ rejected }))).verdict.kind).toBe('stops')
  })

  it('stops if the largest new key is above 20 GB for sure', () => {
    expect(severityOfKey(2500, 0.25)).toBe('stops')
    // 21 of 100 documents may be chance
    expect(severityOfKey(21, 0.21)).toBe('needs confirmation')
    expect(severityOfKey(1, 0.21)).toBeUndefined()
  })

  it('says nothing about lives if no document of the sample ends', () => {
    expect(codesOf(inDefinition('source', { defaultTtl: -1 }))).toEqual(['system-properties-change'])
    expect(codesOf(inDefinition('source', { defaultTtl: -1 }), inOptions({ ttl: 'restart' }))).toEqual([
      'system-properties-change'
    ])
  })

  it('proposes to let data expire by the time of the container if there is no sample', () => {
    expect([undefined, -1, DAY, 15 * DAY].map(daysWithoutSample)).toEqual([null, null, 1, null])
  })

  it('proposes to let data expire if a copy takes longer', () => {
    const slow = inOptions({ writeShare: 100 })

    expect(
      checkMove(factsWith(inDefinition('source', { defaultTtl: 30 * DAY }), expiresIn(30), slow)).ttl
    ).toMatchObject({
      daysUntilExpired: 30
    })
  })

  it('says why two documents could get the same key and id', () => {
    expect(sentenceOfCollisions(inPlan({ oldKey: 'as-text' }))).toContain('if /deviceId is a number in one')
    expect(sentenceOfCollisions(inPlan({ oldKey: 'lost', makesIds: true }))).toContain('makes new ids')
  })

  it('says what the target refuses if a unique key no longer holds', () => {
    const { findings } = checkMove(
      factsWith(inDefinition('target', { uniqueKeys: [['/plate']] }), inSample({ uniqueConflicts: 12 }))
    )

    expect(findings.find(({ code }) => code === 'unique-keys')?.sentence).toContain('refuse 12 documents')
  })
})

describe('promises of checkMove', () => {
  it.each([
    ['a plan that follows from key and id', [], 'versions', 'identity'],
    ['such a plan without the feed of deletes', [inSource(NO_FEED)], 'sweep', 'identity'],
    ['a plan that depends on fields', [DEPENDENT], 'versions', 'identity-index'],
    ['such a plan with all previous images', [DEPENDENT, images('all')], 'versions', 'previous-images'],
    [
      'such a plan with previous images of replaces, without an index',
      [DEPENDENT, images('replaces'), inOptions({ keepsIndex: false })],
      'sweep',
      'previous-images'
    ],
    [
      'such a plan with previous images of deletes, without an index',
      [DEPENDENT, images('deletes'), inOptions({ keepsIndex: false })],
      'versions',
      'sweep'
    ],
    [
      'such a plan without feed and index',
      [DEPENDENT, inSource(NO_FEED), inOptions({ keepsIndex: false })],
      'sweep',
      'sweep'
    ],
    [
      'such a plan without feed, index and comparison',
      [DEPENDENT, inSource(NO_FEED), inOptions({ keepsIndex: false, sweeps: false })],
      'none',
      'none'
    ]
  ] as const)('%s: deletes and changes of the key', (_title, changes, deletes, keyChanges) => {
    expect(promisesOf(...changes)).toMatchObject({ deletes, keyChanges })
  })

  it('names the fields of the plan, and the size of the index', () => {
    const { plan, keyChanges } = checkMove(factsWith(DEPENDENT))

    expect(plan).toEqual({
      basis: 'fields',
      fields: ['/region'],
      sentence: 'Key and id of a new document depend on other fields, too: /region.'
    })
    expect(keyChanges).toMatchObject({ indexDiskBytes: 6.4e9, indexMemoryBytes: 1.2e9 })
  })

  it('says what the way back needs', () => {
    expect(promisesOf().back.needs).toEqual([])
    expect(promisesOf(inTarget(NO_FEED)).back).toMatchObject({ basis: 'identity', deletes: { seenBy: 'sweep' } })
    expect(promisesOf(inTarget(NO_FEED)).back.needs).toEqual([expect.stringContaining('A comparison of both')])
    expect(promisesOf(DEPENDENT).back.needs).toEqual([
      expect.stringContaining('New documents need /deviceId'),
      expect.stringContaining('index of identities')
    ])
  })
})

describe('estimate of checkMove', () => {
  it('computes RU, time and price', () => {
    // 100 million documents at 1 + 7 RU with 20,000 RU/s
    expect(checkMove(factsWith()).estimate).toMatchObject({
      readRu: 100e6,
      writeRu: 700e6,
      readRuPerSecond: 12_000,
      writeRuPerSecond: 20_000,
      seconds: 35_000,
      limitedBy: 'target',
      cost: 15.56,
      currency: 'USD'
    })
  })

  it('takes the longer of both sides', () => {
    expect(checkMove(factsWith(inOptions({ readShare: 1000 }))).estimate).toMatchObject({
      seconds: 100_000,
      limitedBy: 'source'
    })
  })

  it('takes the throughput of the recipe for a target that does not exist', () => {
    expect(checkMove(factsWith(() => ({ target: null }))).estimate).toMatchObject({ writeRuPerSecond: 24_000 })
  })

  it('charges the RU themselves where the account is serverless, and knows no time', () => {
    const serverless = { throughput: { value: { kind: 'serverless', ruPerSecond: null, isShared: false } } } as const

    const { estimate, unknown } = checkMove(factsWith(inSource(serverless), inTarget(serverless)))

    expect(estimate).toMatchObject({ seconds: null, cost: 200 })
    expect(unknown.map(({ what }) => what)).toEqual(['time of the copy'])
  })

  it('calls unknown what is unknown, with the reason and what it leaves open', () => {
    const { estimate, unknown, sample } = checkMove(
      factsWith(inSource({ documents: { unknown: 'No quota.' } }), () => ({ sample: { unknown: 'Nothing was read.' } }))
    )

    expect(estimate).toMatchObject({ readRu: null, writeRu: null, seconds: null, cost: null })
    expect(sample).toBeNull()
    expect(unknown).toEqual([
      { what: 'number of documents of the source', reason: 'No quota.', leavesOpen: ['ttl-expires-first'] },
      {
        what: 'documents of the source',
        reason: 'Nothing was read.',
        leavesOpen: expect.arrayContaining(['collisions'])
      }
    ])
  })
})

function verdictOf(...changes: readonly Change[]) {
  return checkMove(factsWith(...changes)).verdict
}

function codesOf(...changes: readonly Change[]): readonly FindingCode[] {
  return checkMove(factsWith(...changes)).findings.map(({ code }) => code)
}

function severityOfKey(documents: number, share: number): Severity | undefined {
  const { findings } = checkMove(factsWith(inSample({ largestKey: { hash: '0A', documents, share } })))
  return findings.find(({ code }) => code === 'key-near-20-gb')?.severity
}

function daysWithoutSample(defaultTtl: number | undefined): number | null {
  const facts = factsWith(inDefinition('source', { defaultTtl }), () => ({ sample: { unknown: 'Refused.' } }))
  return checkMove(facts).ttl.daysUntilExpired
}

function promisesOf(...changes: readonly Change[]) {
  const { plan, deletes, keyChanges, back } = checkMove(factsWith(...changes))
  return { plan, deletes: deletes.seenBy, keyChanges: keyChanges.seenBy, back }
}

function images(previousImages: 'all' | 'replaces' | 'deletes'): Change {
  return inSource({ versionsFeed: { value: { isOn: true, retentionMinutes: null, previousImages } } })
}

function sentenceOfCollisions(...changes: readonly Change[]): string | undefined {
  return checkMove(factsWith(...changes)).findings.find(({ code }) => code === 'collisions-possible')?.sentence
}
