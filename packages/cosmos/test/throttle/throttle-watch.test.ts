import { partitionHash, partitionHashHead } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { ThrottleWatch, type WatchedLane } from '../../src/throttle/throttle-watch.ts'
import type { ThrottledRange } from '../../src/throttle/throttled-range.ts'

interface TestLane extends WatchedLane {
  readonly counts: { chargedRu: number }
}

const lane = (id: string): TestLane => ({
  range: { id, min: '', max: 'FF', parents: [] },
  counts: { chargedRu: 0 },
  isWatched: false
})

const V2 = { kind: 'Hash', version: 2 } as const

function open(provisionedRuPerSecond: number | undefined = 4000) {
  const state = { nowMs: 0, lanes: ['0', '1', '2', '3'].map(lane) }
  const found: ThrottledRange[] = []
  const watch = new ThrottleWatch({
    clock: { now: () => state.nowMs } as never,
    lanes: () => state.lanes,
    provisionedRuPerSecond: () => provisionedRuPerSecond,
    onThrottled: (throttled) => found.push(throttled)
  })
  /** Charges 10 RU for one operation of each of these keys. */
  const charge = (one: TestLane, ...keys: readonly (readonly string[])[]): void => {
    one.counts.chargedRu += keys.length * 10
    if (!one.isWatched) return
    const definition = keys[0].length === 1 ? V2 : ({ kind: 'MultiHash', version: 2 } as const)
    const operations = keys.map((values) => ({ values, definition, head: partitionHashHead(values, definition) }))
    watch.charged(
      one,
      operations,
      keys.map(() => 10)
    )
  }
  return { state, watch, found, charge }
}

const many = (count: number, key: (n: number) => readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: count }, (_, n) => key(n))

describe('a throttle watch', () => {
  it('explains a throttled range after a second, with its heaviest key', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    charge(first, ...many(100, (n) => [n % 5 === 0 ? `k${n}` : 'hot']))
    expect(found).toEqual([])
    state.nowMs = 1000
    watch.throttled(first)

    expect(found).toMatchObject([
      {
        range: '0',
        reason: 'hot-key',
        ruPerSecond: 1000,
        limitRuPerSecond: 1000,
        containerRuPerSecond: 1000,
        heaviestKey: { hash: partitionHash(['hot'], V2), share: 0.8 }
      }
    ])
    expect(watch.current).toEqual(found)
  })

  it('distinguishes hierarchical keys with the same first level', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    charge(first, ...many(100, (n) => ['tenant', `user${n}`]))
    state.nowMs = 1000
    watch.throttled(first)

    expect(found).toMatchObject([{ reason: 'many-keys-in-one-range', heaviestKey: { share: 0.01 } }])
  })

  it('waits up to five seconds for 50 operations, and names no key of fewer', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    charge(first, ...many(49, () => ['hot']))
    state.nowMs = 4999
    watch.throttled(first)
    expect(found).toEqual([])
    state.nowMs = 5000
    watch.throttled(first)

    // 98 of 1,000 RU/s: other clients use the rest
    expect(found).toMatchObject([{ reason: 'other-clients', heaviestKey: undefined }])
  })

  it('counts the RU of all ranges, also of those that are not throttled', () => {
    const { state, watch, found, charge } = open()
    const [first, second] = state.lanes
    watch.throttled(first)
    charge(first, ...many(100, () => ['hot']))
    charge(second, ...many(300, (n) => [`k${n}`]))
    state.nowMs = 1000
    watch.throttled(first)

    expect(second.isWatched).toBe(false)
    expect(found).toMatchObject([{ ruPerSecond: 1000, containerRuPerSecond: 4000, reason: 'container-full' }])
  })

  it('uses the part of the throughput that the range has', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    Object.assign(first.range, { throughputFraction: 0.5 })
    watch.throttled(first)
    charge(first, ...many(150, () => ['hot']))
    state.nowMs = 1000
    watch.throttled(first)

    expect(found).toMatchObject([{ limitRuPerSecond: 2000, reason: 'hot-key' }])
  })

  it('stops to count keys after a window in which the range was not throttled', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    expect(first.isWatched).toBe(true)
    charge(first, ...many(100, () => ['hot']))
    state.nowMs = 1000
    charge(first, ['hot'])
    expect([found.length, first.isWatched]).toEqual([1, true])
    charge(first, ...many(100, () => ['hot']))
    state.nowMs = 2000
    charge(first, ['hot'])

    expect([found.length, first.isWatched]).toEqual([1, false])
  })

  it('forgets a range ten seconds after its last throttling', () => {
    const { state, watch, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    charge(first, ...many(100, () => ['hot']))
    state.nowMs = 1000
    watch.throttled(first)
    state.nowMs = 11_000
    expect(watch.current).toHaveLength(1)
    state.nowMs = 11_001

    expect(watch.current).toEqual([])
  })

  it('drops a range that was split', () => {
    const { state, watch, found, charge } = open()
    const [first, ...others] = state.lanes
    watch.throttled(first)
    charge(first, ...many(100, () => ['hot']))
    state.lanes = [...others, lane('4'), lane('5')]
    state.nowMs = 1000
    watch.throttled(first)

    expect([found, first.isWatched]).toEqual([[], false])
  })

  it('keeps a limited number of keys, and still finds a hot one', () => {
    const { state, watch, found, charge } = open()
    const [first] = state.lanes
    watch.throttled(first)
    charge(first, ...many(20_000, (n) => [n % 2 === 0 ? 'hot' : `k${n}`]))
    state.nowMs = 1000
    watch.throttled(first)

    expect(found).toMatchObject([{ heaviestKey: { hash: partitionHash(['hot'], V2), share: 0.5 } }])
  })
})
