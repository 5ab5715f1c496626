import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effectiveKey } from '../../src/partition/effective-key.ts'
import { toPartitionKey } from '../../src/partition/partition-key.ts'
import { LogicalPartition } from '../../src/store/logical-partition.ts'
import { PartitionMap } from '../../src/store/partition-map.ts'
import { PhysicalRange } from '../../src/store/physical-range.ts'

const SCHEME = { kind: 'MultiHash', version: 2 } as const
const range = new PhysicalRange(0, '', 'FF', [])

function partitionOf(values: readonly string[]): LogicalPartition {
  return new LogicalPartition(toPartitionKey(values).text, effectiveKey(values, SCHEME), range)
}

it('finds the partitions that begin with the first levels of a key, also after partitions are added and removed', () => {
  const level = fc.constantFrom('a', 'b', 'c')
  const step = fc.record({ key: fc.tuple(level, level, level), asked: fc.array(level, { minLength: 1, maxLength: 2 }) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const map = new PartitionMap()
      const stored = new Map<string, { key: readonly string[]; partition: LogicalPartition }>()
      for (const { key, asked } of steps) {
        const known = stored.get(key.join())
        if (known === undefined) {
          const partition = partitionOf(key)
          map.add(partition)
          stored.set(key.join(), { key, partition })
        } else {
          map.remove(known.partition)
          stored.delete(key.join())
        }
        const expected = [...stored.values()].filter((each) => asked.every((value, at) => each.key[at] === value))

        expect([...map.startingWith(effectiveKey(asked, SCHEME))]).toEqual(expected.map(({ partition }) => partition))
        expect(map.size).toBe(stored.size)
      }
    })
  )
})
