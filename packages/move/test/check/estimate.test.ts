import { describe, expect, it } from 'vitest'
import { checkMove } from '../../src/check/check-move.ts'
import { type Change, factsWith, inOptions, inSource, inTarget, NO_FEED, DEPENDENT } from './facts.ts'

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

  it('calls unknown what the definition of a container with the feed does not tell', () => {
    const untold = inSource({ versionsFeed: { value: { isOn: true, retentionMinutes: null, previousImages: null } } })

    expect(unknownOf(untold)).toEqual(['retention of the change feed of all versions and deletes'])
    expect(unknownOf(untold, DEPENDENT)).toEqual([
      'retention of the change feed of all versions and deletes',
      'previous images of the source'
    ])
    expect(unknownOf(inSource(NO_FEED), DEPENDENT)).toEqual([])
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

function unknownOf(...changes: readonly Change[]): readonly string[] {
  return checkMove(factsWith(...changes)).unknown.map(({ what }) => what)
}
