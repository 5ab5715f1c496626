import { expect, it } from 'vitest'
import type { MoveContainerStats } from '../../src/containers/open-container.ts'
import { ThroughputUse } from '../../src/status/throughput-use.ts'

/** Reports of the container after each half second. */
interface Load {
  readonly pacedMs?: number
  readonly throttled?: number
  /** RU of writes in two ranges, of which each may use 500 RU/s. */
  readonly writtenRu?: readonly [number, number]
}

it.each([
  ['reads that seldom wait for their share', { pacedMs: 100 }, undefined],
  ['reads that wait for their share most of the time', { pacedMs: 400 }, 'share'],
  ['writes below the share', { writtenRu: [200, 0] }, undefined],
  ['writes that use the share of one range', { writtenRu: [0, 249] }, 'share'],
  ['throttling', { throttled: 1, pacedMs: 400 }, 'throttling']
] as const)('%s', (_, load: Load, expected) => {
  let count = 0
  const use = new ThroughputUse({ stats: () => statsOf(load, count) })
  let limit: ReturnType<ThroughputUse['look']>
  for (; count <= 30; count++) limit = use.look(count * 500)
  expect(limit).toBe(expected)
})

function statsOf({ pacedMs = 0, throttled = 0, writtenRu }: Load, count: number): MoveContainerStats {
  const reads = { pacedMs: pacedMs * count, throttled: throttled * count }
  const ranges = writtenRu?.map((ru, id) => ({ id: String(id), chargedRu: ru * count }))
  const writes = ranges === undefined ? undefined : { budgetRuPerSecond: 1000, throttledOperations: 0, ranges }
  // the other counters do not matter
  return { reads, writes } as unknown as MoveContainerStats
}
