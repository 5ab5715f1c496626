import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainerDefinition } from '@keystamp/cosmos'
import { createRandom, VirtualClock } from '@keystamp/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Copier } from '../../src/copy/copier.ts'
import { identityText } from '../../src/documents/identity.ts'
import type { BeginEntry, Direction } from '../../src/journal/journal.ts'
import { createMemoryJournal } from '../../src/journal/memory-journal.ts'
import { directionsWithImages, type IndexedSide, openIndexes } from '../../src/target-index/move-indexes.ts'
import { BEGIN } from '../journal/entries.ts'
import { SimulatedContainer } from '../simulation/simulated-container.ts'
import { createSimulatedMapper } from '../simulation/simulated-mapper.ts'

describe('the identity indexes of a move', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-'))
  })

  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['all', 'fields', true, ['forward']],
    ['replaces', 'fields', true, []],
    ['deletes', 'fields', true, []],
    [undefined, 'fields', true, []],
    ['all', 'fields', false, []],
    ['all', 'identity', true, []]
  ] as const)(
    'are not needed where previous images are kept of all changes (%s, basis %s, feed %s: %j)',
    (previousImages, basis, readsVersions, expected) => {
      const forward = side(previousImages === undefined ? {} : { previousImages }, basis, readsVersions)
      expect(directionsWithImages({ forward, back: side({}, 'fields', true) })).toStrictEqual(expected)
    }
  )

  it('are those with which the move has begun, whatever the container tells later', async () => {
    const sides = { forward: side({ previousImages: 'all' }, 'fields', true), back: side({}, 'fields', true) }
    expect(await opened({}, sides)).toStrictEqual(['forward', 'back'])
    rmSync(folder, { recursive: true })
    expect(await opened({ images: ['forward'] }, sides)).toStrictEqual(['back'])
    expect(await opened({ images: ['forward'] }, { ...sides, forward: sides.back })).toStrictEqual(['back'])
  })

  async function opened(
    begin: Partial<BeginEntry>,
    sides: Readonly<Record<Direction, IndexedSide>>
  ): Promise<readonly string[]> {
    const journal = createMemoryJournal({ entries: [{ ...BEGIN, ...begin }] })
    const { forward, back } = openIndexes(folder, journal, sides)
    await Promise.all([forward?.close(), back?.close()])
    return ['forward', 'back'].filter((direction) => existsSync(join(folder, `index-${direction}`)))
  }
})

it.each([
  [false, 1],
  [true, 0]
])('a change without the former version is reported (previous images: %s)', async (hasPreviousImages, reported) => {
  const clock = new VirtualClock()
  const random = createRandom(1)
  const shared = { hasPreviousImages, maxBehindMs: 0, lostShare: 0, maxLatencyMs: 10 }
  const source = new SimulatedContainer(clock, random, { name: 'source', keyPath: '/pk', ...shared })
  const target = new SimulatedContainer(clock, random, { name: 'target', keyPath: '/key', ...shared })
  const name = { key: ['pk'], id: 'id' }
  let missing = 0
  const copier = new Copier({
    source: source.open(() => true),
    target: target.open(() => true),
    mapper: createSimulatedMapper('fields'),
    index: undefined,
    journal: createMemoryJournal({ entries: [BEGIN] }),
    direction: 'forward',
    begin: 'beginning',
    readsVersions: true,
    clock,
    wallMs: clock.now,
    random: random.next,
    hashOf: identityText,
    onImageMissing: () => missing++
  })
  const ended = new AbortController()
  void copier.run(ended.signal)
  await clock.runUntil(() => false, 1000)
  source.apply(name, { id: 'id', pk: 'pk', group: 'a' })
  await clock.runUntil(() => false, 3000)
  source.apply(name, { id: 'id', pk: 'pk', group: 'b' })
  await clock.runUntil(() => false, 6000)
  expect(missing).toBe(reported)
  // without images, a comparison finds the former copy
  expect(target.bodies().map(({ identity }) => identity.key[0])).toStrictEqual(hasPreviousImages ? ['b'] : ['a', 'b'])
  ended.abort()
})

function side(
  definition: Partial<ContainerDefinition>,
  basis: 'fields' | 'identity',
  readsVersions: boolean
): IndexedSide {
  const key = { paths: ['/pk'], kind: 'Hash', version: 2 } as const
  return {
    mapper: { basis },
    source: {
      name: 'container',
      definition: {
        rid: 'rid',
        partitionKey: { ...key, paths: ['/pk'] },
        defaultTtl: undefined,
        uniqueKeys: [],
        ...definition
      }
    },
    readsVersions
  }
}
