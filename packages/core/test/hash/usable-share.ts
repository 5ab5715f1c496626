import { evenLabels } from '../../src/hash/even-labels.ts'
import { partitionHash } from '../../src/hash/partition-hash.ts'
import { ownerOf, rangesOf } from '../../src/hash/ranges.ts'

/**
 * Share of the provisioned RU/s that a load can use if it is the same on all keys. The range with the most keys is the
 * limit.
 */
export function usableShare(epks: readonly string[], rangeCount: number, version: 1 | 2): number {
  const ranges = rangesOf(rangeCount, { version })
  const loads = new Map<string, number>()
  for (const epk of epks) {
    const id = ownerOf(ranges, epk)?.id ?? ''
    loads.set(id, (loads.get(id) ?? 0) + 1)
  }
  return epks.length / (rangeCount * Math.max(...loads.values()))
}

/**
 * The effective keys of a base with even labels. They are cached, because tests use them with many counts of ranges.
 */
export function evenKeys(base: string, count: number, version: 1 | 2): readonly string[] {
  return remembered(`even ${base} ${count} ${version}`, () =>
    hashed(base, evenLabels(`${base}.`, count, version), version)
  )
}

/** The effective keys of a base with the suffixes 1 to `count`. */
export function plainKeys(base: string, count: number, version: 1 | 2): readonly string[] {
  return remembered(`plain ${base} ${count} ${version}`, () =>
    hashed(
      base,
      Array.from({ length: count }, (_, index) => index + 1),
      version
    )
  )
}

function hashed(base: string, suffixes: Iterable<number>, version: 1 | 2): string[] {
  return Array.from(suffixes, (suffix) => partitionHash([`${base}.${suffix}`], { version }))
}

const known = new Map<string, readonly string[]>()

function remembered(name: string, compute: () => readonly string[]): readonly string[] {
  const keys = known.get(name) ?? compute()
  known.set(name, keys)
  return keys
}
