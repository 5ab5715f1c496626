import { describe, expect, it } from 'vitest'
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
      { topic: 't', partition: 0, position: 7, metadata: 'signed' },
      { topic: 't', partition: 1, position: undefined, metadata: '' },
      { topic: 't', partition: 2, position: undefined, metadata: '' }
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
  ] as const)('begins behind what was stored, elsewhere at the %s record', async ([from, end]) => {
    expect([...(await findStartPositions(admin, { group: 'g', from }, places))]).toEqual([
      ['t/0', 7],
      ['t/1', end],
      ['t/2', end]
    ])
  })
})
