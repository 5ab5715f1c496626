import type { Position } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { writeMetadata } from '../../src/consume/commit-metadata.ts'
import { findStartPositions, readCommitted } from '../../src/consume/start-positions.ts'

const places = [0, 1, 2].map((partition) => ({ topic: 't', partition }))

const admin = {
  fetchOffsets: async () => [
    {
      topic: 't',
      partitions: [
        { partition: 0, offset: '7', metadata: 'signed' },
        { partition: 1, offset: '-1', metadata: null },
        // what kafkajs leaves behind where it has reset a position
        { partition: 2, offset: '-2', metadata: null }
      ]
    }
  ],
  fetchTopicOffsets: async () => [0, 1, 2, 3].map((partition) => ({ partition, offset: '90', high: '90', low: '10' }))
}

describe('readCommitted', () => {
  it('says what was stored, and where nothing was', async () => {
    expect(await readCommitted(admin, 'g', places)).toEqual([
      { topic: 't', partition: 0, position: 7, metadata: 'signed', initialPartitions: 1 },
      { topic: 't', partition: 1, position: undefined, metadata: '', initialPartitions: 1 },
      { topic: 't', partition: 2, position: undefined, metadata: '', initialPartitions: 1 }
    ])
  })

  it('asks nothing for no partitions', async () => {
    expect(await readCommitted({ fetchOffsets: () => Promise.reject(new Error('asked')) }, 'g', [])).toEqual([])
  })
})

describe('findStartPositions', () => {
  it.for([
    ['earliest', 10],
    ['latest', 90]
  ] as const)('begins at the stored offset, and where the group has none at the %s record', async ([from, end]) => {
    const { positions, starts } = await findStartPositions(storing({ 0: 7 }, 3), { group: 'g', from }, places)
    expect([...positions]).toEqual([
      ['t/0', 7],
      ['t/1', end],
      ['t/2', end]
    ])
    expect(starts).toEqual([1, 2].map((partition) => ({ topic: 't', partition, position: end, low: 10, high: 90 })))
  })

  it('begins at the latest record in a group that has stored nothing, where it is to', async () => {
    const { positions } = await findStartPositions(storing({}), { group: 'g', from: 'latest' }, places)
    expect([...positions.values()]).toEqual([90, 90, 90])
  })

  it('begins at the earliest record of a partition that was added after the group began to read the topic', async () => {
    const { positions } = await findStartPositions(storing({ 0: 7 }, 2), { group: 'g', from: 'latest' }, places)
    expect([...positions.values()]).toEqual([7, 90, 10])
  })

  it('begins again where it began before while the group has stored nothing, though records have arrived since', async () => {
    const learned = new Map<string, Position>()
    const find = async (low: string, high: string): Promise<readonly (number | undefined)[]> => {
      const ends = [0, 1, 2].map((partition) => ({ partition, offset: high, high, low }))
      const { positions } = await findStartPositions(
        { ...storing({}), fetchTopicOffsets: async () => ends },
        { group: 'g', from: 'latest' },
        places,
        learned
      )
      return [...positions.values()]
    }

    expect(await find('10', '90')).toEqual([90, 90, 90])
    expect(await find('10', '95')).toEqual([90, 90, 90])
    expect(await find('92', '96')).toEqual([92, 92, 92])
    expect(await find('0', '5')).toEqual([5, 5, 5])
  })

  it('forgets where it began once the group has stored an offset', async () => {
    const learned = new Map<string, Position>()
    await findStartPositions(storing({}), { group: 'g', from: 'latest' }, places, learned)
    await findStartPositions(storing({ 0: 7 }, 3), { group: 'g', from: 'latest' }, places, learned)

    expect([...learned.keys()]).toEqual(['t/1', 't/2'])
  })

  it('takes partitions after the last stored one for added ones where the commits do not say', async () => {
    const { positions } = await findStartPositions(storing({ 1: 7 }), { group: 'g', from: 'latest' }, places)
    expect(Object.fromEntries(positions)).toEqual({ 't/0': 90, 't/1': 7, 't/2': 10 })
  })
})

/** A group with these offsets, whose commits name a number of partitions. */
function storing(offsets: Readonly<Record<number, number>>, partitions?: number): typeof admin {
  const metadata = writeMetadata({ plan: 'p', by: 'me', hasLeft: false, partitions })
  return {
    ...admin,
    fetchOffsets: async () => [
      {
        topic: 't',
        partitions: [0, 1, 2].map((partition) =>
          partition in offsets ? { partition, offset: String(offsets[partition]), metadata } : { partition, offset: '-1', metadata: null }
        )
      }
    ]
  }
}
