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
  NO_FEED,
  DEPENDENT,
  DAY,
  expiresIn
} from './facts.ts'
import { FINDING_CASES } from './finding-cases.ts'

describe('checkMove', () => {
  it.each(FINDING_CASES)('finds $code', ({ code, severity, says, present }) => {
    const { findings } = checkMove(factsWith(...present))

    const found = findings.find((each) => each.code === code)
    expect(found).toMatchObject({ severity })
    expect(found?.sentence).toContain(says)
  })

  it.each(FINDING_CASES)('does not find $code where there is none', ({ code, absent }) => {
    expect(checkMove(factsWith()).findings.map((each) => each.code)).not.toContain(code)
    expect(checkMove(factsWith(...absent)).findings.map((each) => each.code)).not.toContain(code)
  })

  it('has a case for each finding, but for the one that every move has', () => {
    const codes = [...new Set(FINDING_CASES.map(({ code }) => code)), 'system-properties-change']
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

  it('stops if the index of identities cannot have all entries', () => {
    // 10 million entries: 16 GiB and 32 GiB are 1,718 and 3,436 bytes for each
    expect([1700, 1720, 3400, 3440].map(severityOfIndex)).toEqual([
      undefined,
      'needs confirmation',
      'needs confirmation',
      'stops'
    ])
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

function sentenceOfCollisions(...changes: readonly Change[]): string | undefined {
  return checkMove(factsWith(...changes)).findings.find(({ code }) => code === 'collisions-possible')?.sentence
}

function severityOfIndex(meanEntryBytes: number): Severity | undefined {
  const facts = factsWith(DEPENDENT, inSource({ documents: { value: 10_000_000 } }), inSample({ meanEntryBytes }))
  return checkMove(facts).findings.find(({ code }) => code === 'index-large')?.severity
}
