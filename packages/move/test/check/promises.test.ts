import { describe, expect, it } from 'vitest'
import { checkMove } from '../../src/check/check-move.ts'
import { type Change, factsWith, inOptions, inSource, inTarget, NO_FEED, DEPENDENT } from './facts.ts'

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
      'such a plan with all previous images, without reading the feed of deletes',
      [DEPENDENT, images('all'), inOptions({ readsVersions: false })],
      'sweep',
      'identity-index'
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

function promisesOf(...changes: readonly Change[]) {
  const { plan, deletes, keyChanges, back } = checkMove(factsWith(...changes))
  return { plan, deletes: deletes.seenBy, keyChanges: keyChanges.seenBy, back }
}

function images(previousImages: 'all' | 'replaces' | 'deletes'): Change {
  return inSource({ versionsFeed: { value: { isOn: true, retentionMinutes: null, previousImages } } })
}
