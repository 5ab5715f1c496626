import { describe, expect, test } from 'vitest'
import { EvenKeys } from '../../src/hash/even-keys.ts'
import { evenLabels } from '../../src/hash/even-labels.ts'
import { writeHashWords } from '../../src/hash/partition-hash.ts'

const BASES = ['', 'tenant-7', 'ü'.repeat(40), 'a'.repeat(14), 'a'.repeat(15), 'a'.repeat(16)]

describe('EvenKeys', () => {
  test.each([1, 2, 7, 64])('has the labels and hashes of all %i slots, in any order of the slots', (count) => {
    const keys = new EvenKeys('.')
    for (const base of BASES) {
      const labels = evenLabels(`${base}.`, count, 2)
      for (let each = 0; each < count; each++) {
        const slot = ((each * 5) % count) + 1
        expect(keys.labelOf(base, count, slot)).toBe(labels[slot - 1])
        expect(wordsOf(keys, base, count, slot)).toEqual(hashOf(`${base}.${labels[slot - 1]}`))
      }
    }
  })

  test('has the same hashes after it has dropped a base', () => {
    const keys = new EvenKeys('-', 8)
    const first = wordsOf(keys, 'a', 4, 3)
    for (const base of 'bcdefgh') wordsOf(keys, base, 4, 1)
    expect(wordsOf(keys, 'a', 4, 3)).toEqual(first)
    expect(wordsOf(keys, 'a', 2, 1)).toEqual(hashOf(`a-${evenLabels('a-', 2, 2)[0]}`))
  })

  test('has the same labels of a base that it kept while it dropped others', () => {
    const keys = new EvenKeys('-', 40)
    const bases = [...'abcdefgh']
    const all = () => bases.flatMap((base) => [4, 2, 8].map((count) => keys.labelOf(base, count, 2)))
    const kept = () => ['a', 'e'].flatMap((base) => [4, 2, 8].map((count) => keys.labelOf(base, count, 1)))
    const expected = ['a', 'e'].flatMap((base) => [4, 2, 8].map((count) => evenLabels(`${base}-`, count, 2)[0]))

    const first = all()
    for (const base of bases) {
      keys.labelOf(base, 4, 3)
      expect(kept()).toEqual(expected)
    }
    expect(all()).toEqual(first)
  })
})

function wordsOf(keys: EvenKeys, base: string, count: number, slot: number): readonly number[] {
  const words = new Int32Array(4)
  keys.writeHash(words, base, count, slot)
  return [...words]
}

function hashOf(key: string): readonly number[] {
  const words = new Int32Array(4)
  writeHashWords(words, [key], { kind: 'Hash', version: 2 })
  return [...words]
}
