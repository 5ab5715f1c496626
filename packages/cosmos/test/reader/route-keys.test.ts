import { partitionHash, rangesOf } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { divideKeys, routeKeys } from '../../src/reader/route-keys.ts'

const FLAT = { paths: ['/pk'], kind: 'Hash', version: 2 } as const
const DEEP = { paths: ['/tenant', '/user'], kind: 'MultiHash', version: 2 } as const

describe('routeKeys', () => {
  it('assigns each key to the range that contains its hash', () => {
    const keys = Array.from({ length: 400 }, (_, index) => key(`2018-08-09.${index + 1}`))

    const routed = routeKeys(keys, rangesFor(20), FLAT)

    expect(routed.flatMap((held) => held.keys)).toHaveLength(400)
    for (const { range, keys: held } of routed) {
      for (const { values } of held) {
        const epk = partitionHash(values, FLAT)
        expect(epk >= range.min && epk < range.max).toBe(true)
      }
    }
  })

  it('assigns a prefix of a hierarchical key to every range that can contain keys with this prefix', () => {
    const epk = partitionHash(['t'], DEEP)
    const ranges = [
      { id: '0', min: '', max: epk, parents: [] },
      { id: '1', min: epk, max: `${epk}20`, parents: [] },
      { id: '2', min: `${epk}20`, max: `${epk}FF`, parents: [] },
      { id: '3', min: `${epk}FF`, max: 'FF', parents: [] }
    ]

    expect(routeKeys([key('t')], ranges, DEEP).map(({ range }) => range.id)).toEqual(['1', '2'])
  })
})

describe('divideKeys', () => {
  it('does not divide a list that fits into one query', () => {
    const held = { range: rangesFor(1)[0], keys: [key('a'), key('b')] }

    expect(divideKeys(held)).toEqual([held])
  })

  it.each([
    ['too many keys', 2500, 3],
    ['keys that are too long', 300, 7]
  ])('divides a list of %s without losing a key', (_, count, parts) => {
    const text = count > 1000 ? 'k' : 'k'.repeat(2000)
    const keys = Array.from({ length: count }, (_each, index) => key(`${text}${index}`))

    const divided = divideKeys({ range: rangesFor(1)[0], keys })

    expect(divided).toHaveLength(parts)
    expect(divided.flatMap((part) => part.keys)).toEqual(keys)
  })
})

function rangesFor(count: number) {
  return rangesOf(count).map((range) => ({ ...range, parents: [] }))
}

function key(value: string) {
  return { key: value, values: [value], version: 0 }
}
