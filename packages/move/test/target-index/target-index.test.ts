import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TargetIndex } from '../../src/copy/target-index.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'
import { openFileTargetIndex } from '../../src/target-index/file-target-index.ts'
import { createMemoryTargetIndex } from '../../src/target-index/memory-target-index.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keystamp-index-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

// much smaller than the real ones, so that there are many files, and cleaning
const SEGMENT_BYTES = 2000

const KINDS: [string, () => TargetIndex, (index: TargetIndex) => Promise<TargetIndex>][] = [
  ['in memory', createMemoryTargetIndex, async (index) => index],
  [
    'on disk',
    () => openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES }),
    async (index) => {
      await index.close()
      return openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
    }
  ]
]

function source(number: number): Identity {
  return { id: `id-${number}`, key: [number] }
}

const TARGETS: readonly Identity[] = [
  { id: 'id-0', key: ['a'] },
  { id: 'another id', key: ['a'] },
  { id: 'id-1', key: ['ü\u{1f600}', '\ud800', ''] },
  { id: 'id-1', key: [undefined, null] },
  { id: 'id-1', key: [null, true, false] },
  { id: 'id-1', key: [0.1, -1e300] },
  { id: 'id-1', key: [0] },
  { id: 'id-1', key: [-0] },
  { id: 'id-1', key: ['k'.repeat(2000)] }
]
const target = fc.constantFrom(...TARGETS)

const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'remove', 'remove all', 'sync', 'reopen'),
  number: fc.nat(5),
  target
})

function sorted(identities: Iterable<Identity>): readonly Identity[] {
  return [...identities].toSorted((a, b) => (identityText(a) < identityText(b) ? -1 : 1))
}

describe.each(KINDS)('an index %s', (_, open, reopen) => {
  test('has the entries of a map, also after it is opened again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
        const model = new Map<number, Map<string, Identity>>()
        const modelOf = (number: number): Map<string, Identity> => {
          if (!model.has(number)) model.set(number, new Map())
          return model.get(number)!
        }
        await rm(folder, { recursive: true, force: true })
        let index = open()
        const changes: Promise<void>[] = []
        for (const { kind, number, target: copy } of steps) {
          if (kind === 'add') {
            modelOf(number).set(identityText(copy), copy)
            changes.push(index.add(source(number), copy))
          } else if (kind === 'remove') {
            modelOf(number).delete(identityText(copy))
            changes.push(index.remove(source(number), copy))
          } else if (kind === 'remove all') {
            for (const each of await index.find(source(number))) changes.push(index.remove(source(number), each))
            model.delete(number)
          } else if (kind === 'sync') await index.sync()
          else {
            await Promise.all(changes)
            index = await reopen(index)
          }
          expect(sorted(await index.find(source(number)))).toEqual(sorted(modelOf(number).values()))
        }
        await Promise.all(changes)
        index = await reopen(index)
        for (let number = 0; number <= 5; number++)
          expect(sorted(await index.find(source(number)))).toEqual(sorted(modelOf(number).values()))
        await index.close()
      }),
      { numRuns: 60 }
    )
  })
})

function diskBytes(): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

function to(number: number, round: number): Identity {
  return { id: `id-${number}`, key: [`key-${round}`, 'x'.repeat(50)] }
}

describe('on disk', () => {
  const NUMBERS = Array.from({ length: 50 }, (_, number) => number)

  test('takes at most about twice the bytes of its entries, while all of them change again and again', async () => {
    const index = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
    await Promise.all(NUMBERS.map((number) => index.add(source(number), to(number, 0))))
    const live = diskBytes()
    for (let round = 1; round < 60; round++) {
      for (const number of NUMBERS) {
        await index.add(source(number), to(number, round))
        await index.remove(source(number), to(number, round - 1))
      }
      await expect.poll(() => diskBytes()).toBeLessThan(2 * live + 3 * SEGMENT_BYTES)
    }
    await index.close()
    const again = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
    for (const number of NUMBERS) expect(await again.find(source(number))).toEqual([to(number, 59)])
    await again.close()
  })

  test('keeps entries that never change while others are cleaned', async () => {
    const index = openFileTargetIndex(folder, { segmentBytes: SEGMENT_BYTES })
    const same: Identity = { id: 'x', key: ['key'] }
    for (const number of NUMBERS) await index.add(source(number), same)
    for (let number = 100; number < 2000; number++) {
      await index.add(source(number), same)
      await index.remove(source(number), same)
    }
    expect(await readdir(folder)).not.toContain('entries-00000001')
    const again = await KINDS[1][2](index)
    for (const number of NUMBERS) expect(await again.find(source(number))).toEqual([same])
    expect(await again.find(source(500))).toEqual([])
    await again.close()
  })

  test('takes no changes after it is closed', async () => {
    const index = openFileTargetIndex(folder)
    await index.close()
    await expect(index.add(source(1), source(1))).rejects.toThrow('closed')
    await expect(index.sync()).rejects.toThrow('closed')
  })
})
