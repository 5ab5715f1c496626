import { describe, expect, it } from 'vitest'
import { evenLabels } from '../../src/hash/even-labels.ts'
import { createLabelCache } from '../../src/hash/label-cache.ts'

describe('createLabelCache', () => {
  it('gives the labels of each base', () => {
    const labelsOf = createLabelCache(10, 2)

    expect(labelsOf('a.')).toEqual(evenLabels('a.', 10, 2))
    expect(labelsOf('b.')).toEqual(evenLabels('b.', 10, 2))
    expect(createLabelCache(10, 1)('a.')).toEqual(evenLabels('a.', 10, 1))
  })

  it('computes the labels of a base once while it is in use', () => {
    const labelsOf = createLabelCache(10, 2, 40)
    const first = labelsOf('a.')

    for (let other = 0; other < 20; other++) {
      labelsOf(`other${other}.`)
      expect(labelsOf('a.')).toBe(first)
    }
  })

  it('forgets a base that was not asked for while the room filled up', () => {
    const labelsOf = createLabelCache(10, 2, 40)
    const first = labelsOf('a.')

    for (let other = 0; other < 4; other++) labelsOf(`other${other}.`)

    expect(labelsOf('a.')).not.toBe(first)
    expect(labelsOf('a.')).toEqual(first)
  })

  it('never keeps more labels than it may', () => {
    const labelsOf = createLabelCache(10, 2, 100)
    const tables = new Map(Array.from({ length: 50 }, (_, base) => [`${base}.`, labelsOf(`${base}.`)]))

    // asking for a base that is kept changes nothing that is younger, so the newest are asked for first
    const kept = [...tables].toReversed().filter(([prefix, labels]) => labelsOf(prefix) === labels)

    expect(kept.length).toBeGreaterThanOrEqual(5)
    expect(kept.length).toBeLessThanOrEqual(10)
  })

  it('keeps the labels of one base even when they are more than it may keep', () => {
    const labelsOf = createLabelCache(100, 2, 1)

    expect(labelsOf('a.')).toBe(labelsOf('a.'))
  })
})
