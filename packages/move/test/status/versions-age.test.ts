import { describe, expect, it } from 'vitest'
import type { RangePosition } from '../../src/journal/journal.ts'
import { feedSentence, versionsAgeOf, versionsWarning } from '../../src/status/versions-age.ts'

const READ_MS = Date.UTC(2026, 2, 1)
const HOUR_MS = 3_600_000

function position(versionsAt: number | null): RangePosition {
  const versions = versionsAt === null ? null : '"1"'
  return {
    range: { min: '', max: 'FF' },
    latest: '"1"',
    versions,
    versionsAt,
    sessionToken: null,
    isCopied: true,
    documents: 1
  }
}

function after(hours: number): string | undefined {
  return versionsWarning(versionsAgeOf([position(READ_MS)], 100 * 60), 'follow', READ_MS + hours * HOUR_MS)
}

describe('the age of the feed of all versions and deletes', () => {
  it('is that of the oldest position', () => {
    expect(versionsAgeOf([position(READ_MS + 5), position(READ_MS)], 600)).toEqual({
      readTo: '2026-03-01T00:00:00.000Z',
      retentionMinutes: 600,
      isRetentionTold: true
    })
  })

  it('is not known if no position is read', () => {
    expect(versionsAgeOf([position(null)], 600)).toBeUndefined()
  })

  it('gives a warning after 80 % of the retention, and another one after its end', () => {
    expect(after(79)).toBeUndefined()
    expect(after(81)).toMatch(
      /^Deletes are read up to 2026-03-01T00:00:00.000Z, and Cosmos DB keeps them until 2026-03-05T04:00:00.000Z\./
    )
    expect(after(101)).toMatch(/has kept them until 2026-03-05T04:00:00.000Z\. If it does not have them any more/)
  })

  it('counts from the shortest retention if the container does not tell it', () => {
    const age = versionsAgeOf([position(READ_MS)], undefined)
    expect(versionsWarning(age, 'follow', READ_MS + 5.5 * 24 * HOUR_MS)).toBeUndefined()
    expect(versionsWarning(age, 'follow', READ_MS + 5.7 * 24 * HOUR_MS)).toContain(
      '(for a continuous backup of 7 days)'
    )
  })

  it('does not matter after the end of the move', () => {
    expect(versionsWarning(versionsAgeOf([position(0)], 600), 'finished', READ_MS)).toBeUndefined()
  })
})

describe('the sentence about the feed', () => {
  it('says how to turn it on if it is off', () => {
    expect(feedSentence('fleet/drives', false, [])).toMatch(
      /^fleet\/drives has no change feed .* turn on continuous backup and this feed .* begin a new move\.$/
    )
  })

  it('says that a copy which began without it does not use it', () => {
    expect(feedSentence('fleet/drives', true, [position(null)])).toContain('the copy began without it')
  })

  it('is not needed otherwise', () => {
    expect(feedSentence('fleet/drives', true, [position(1)])).toBeUndefined()
  })
})
