import { describe, expect, it, test } from 'vitest'
import {
  burstOf,
  creationRuPerSecond,
  instantRuPerSecond,
  leastRuPerSecond,
  logicalPartitionRuPerSecond,
  partitionsAtCreation,
  roundUpRu,
  serverlessRuPerSecond
} from '../../src/index.ts'

describe('the limits of Cosmos DB', () => {
  test.each([
    ['manual', 400, 1],
    ['manual', 6000, 1],
    ['manual', 6100, 2],
    ['manual', 11_000, 2],
    ['manual', 18_000, 3],
    ['manual', 30_000, 5],
    ['autoscale', 1000, 1],
    ['autoscale', 10_000, 1],
    ['autoscale', 11_000, 2],
    ['autoscale', 30_000, 3]
  ] as const)('give a new container with %s throughput of %i RU/s %i partitions', (mode, ruPerSecond, partitions) => {
    expect(partitionsAtCreation(ruPerSecond, mode)).toBe(partitions)
  })

  it('include the throughput with which a new container has a given number of partitions', () => {
    for (const mode of ['manual', 'autoscale'] as const) {
      for (const partitions of [1, 2, 7, 20, 1000]) {
        expect(partitionsAtCreation(creationRuPerSecond(partitions, mode), mode)).toBe(partitions)
      }
    }
  })

  test.each([
    ['manual', {}, 400],
    ['manual', { gb: null }, 400],
    ['manual', { gb: 1234 }, 1300],
    ['manual', { highestRuPerSecond: 100_000 }, 1000],
    ['manual', { gb: 200, highestRuPerSecond: 40_000 }, 400],
    ['autoscale', {}, 1000],
    ['autoscale', { gb: 250 }, 3000],
    ['autoscale', { highestRuPerSecond: 55_000 }, 6000]
  ] as const)('include the minimum throughput: with %s and %j it is %i RU/s', (mode, history, least) => {
    expect(leastRuPerSecond(mode, history)).toBe(least)
  })

  it('include the steps of the throughput, to which roundUpRu rounds up', () => {
    expect(roundUpRu(401, 'manual')).toBe(500)
    expect(roundUpRu(400, 'manual')).toBe(400)
    expect(roundUpRu(4001, 'autoscale')).toBe(5000)
    // 3 x 1000.1 / 3 is 1000.0999999999999, and 0.1 + 0.2 is above 0.3
    expect(roundUpRu((0.1 + 0.2) * 1000, 'manual')).toBe(300)
  })

  it('allow a partition 10,000 RU/s, or 5,000 RU/s with serverless, and allow a single key the RU/s of its partition', () => {
    expect(instantRuPerSecond(7)).toBe(70_000)
    expect(logicalPartitionRuPerSecond(30_000, 12)).toBe(2500)
    expect(serverlessRuPerSecond(3)).toBe(15_000)
  })

  it('allow a partition with less than 3,000 RU/s bursts with the unused RU of five minutes', () => {
    expect(burstOf(100, 1)).toEqual({ ruPerSecond: 3000, seconds: 10 })
    expect(burstOf(3000, 1)).toBeNull()
    expect(burstOf(5000, 2)).toEqual({ ruPerSecond: 3000, seconds: 250 })
  })
})
