import { describe, expect, test } from 'vitest'

import { DistinctSketch } from '../../src/sample/distinct-sketch.ts'
import { FrequentKeys } from '../../src/sample/frequent-keys.ts'
import { KeyTable } from '../../src/sample/key-table.ts'
import { createRandom } from '../../src/sample/random.ts'
import { TransactionCounter } from '../../src/sample/transaction-counter.ts'

/** Two pseudorandom words in place of the hash of a key; the same for the same number. */
function hashOf(number: number): readonly [number, number] {
  const random = createRandom(number)
  return [(random() * 2 ** 30) | 0, (random() * 2 ** 32) | 0]
}

describe('DistinctSketch', () => {
  test.each([0, 1, 100, 5000, 30_000, 100_000])('estimates %d keys within three standard errors', (keys) => {
    const sketch = new DistinctSketch()
    for (let repeat = 0; repeat < 2; repeat++) for (let key = 0; key < keys; key++) sketch.add(...hashOf(key))
    expect(Math.abs(sketch.estimate() - keys)).toBeLessThanOrEqual(3 * 0.0081 * keys)
  })
})

describe('FrequentKeys', () => {
  test('bounds the count of every frequent key', () => {
    const keys = new FrequentKeys()
    const counts = new Map<number, number>()
    const random = createRandom(3)
    for (let record = 0; record < 200_000; record++) {
      const key = Math.floor(100_000 * random() ** 4)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      keys.add(...hashOf(key), key, 1, 10)
    }
    const top = keys.top(50)
    const truth = [...counts].toSorted((a, b) => b[1] - a[1])
    for (const { head, records, error } of top) {
      expect(records).toBeGreaterThanOrEqual(counts.get(head)!)
      expect(records - error).toBeLessThanOrEqual(counts.get(head)!)
    }
    expect(top[0].error).toBeLessThan(200_000 / 4000)
    expect(top.slice(0, 20).map(({ head }) => head)).toEqual(
      expect.arrayContaining(truth.slice(0, 10).map(([key]) => key))
    )
  })
})

describe('KeyTable', () => {
  test('counts all records of the keys that it keeps after it has removed other keys', () => {
    const table = new KeyTable()
    for (let round = 0; round < 3; round++) {
      for (let key = 0; key < 1000; key++) table.add(...hashOf(key), key, 5)
      table.raiseLevel()
    }
    expect(table.size).toBeGreaterThan(90)
    expect(table.size).toBeLessThan(165)
    const counts = new Set<string>()
    table.forEach((_high, low, key, records, bytes) => {
      expect(low & 7).toBe(0)
      expect(hashOf(key)[1]).toBe(low)
      counts.add(`${records} ${bytes}`)
    })
    expect([...counts]).toEqual(['3 15'])
  })
})

describe('TransactionCounter', () => {
  test('counts the groups whose records have different keys', () => {
    const counter = new TransactionCounter(2)
    for (const [group, first, second] of [
      [1, 7, 7],
      [1, 7, 8],
      [2, 7, 7],
      [2, 7, 7],
      [3, 1, 2]
    ]) {
      expect(counter.begin(...hashOf(group))).toBe(true)
      counter.setKey(0, first)
      counter.setKey(1, second)
    }
    expect(counter.finish('/order')).toEqual({ field: '/order', groups: 2, torn: [0, 1] })
  })

  test('counts only whole groups, even if there are more groups than it can keep', () => {
    const counter = new TransactionCounter(1, 100)
    for (let record = 0; record < 3; record++) {
      for (let group = 0; group < 2000; group++) {
        if (counter.begin(...hashOf(group))) counter.setKey(0, group % 4 === 0 && record === 2 ? 9 : 1)
      }
    }
    const { groups, torn } = counter.finish('/order')
    expect(groups).toBeGreaterThan(30)
    expect(groups).toBeLessThanOrEqual(100)
    expect(torn[0] / groups).toBeGreaterThan(0.1)
    expect(torn[0] / groups).toBeLessThan(0.45)
  })
})
