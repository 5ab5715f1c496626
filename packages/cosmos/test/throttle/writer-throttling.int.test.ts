import { partitionHash } from '@keystamp/core'
import { createWriter, type ThrottledRange, type WriterStats } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, expect, it } from 'vitest'

let emulator: Emulator
afterEach(() => emulator.stop())

const V2 = { kind: 'Hash', version: 2 } as const
const hashOf = (key: string): string => partitionHash([key], V2)
/** Keys of the first of four physical partitions. */
const FIRST = Array.from({ length: 4000 }, (_, n) => `k${n}`).filter((key) => hashOf(key) < '0FFF')

/**
 * Writes documents of these keys. The first of four physical partitions has fewer RU/s than the budget that the writer
 * divides evenly, so Cosmos DB throttles it.
 */
async function write(
  keyOf: (n: number) => string
): Promise<{ events: ThrottledRange[]; stats: WriterStats; errors: ReadonlySet<string> }> {
  emulator = await startEmulator({ throttle: true, ranges: 4, ruPerSecond: 4000, containers: ['d/c:/pk'] })
  await emulator.redistributeThroughput('d', 'c', {
    throughputPolicy: 'custom',
    targetPhysicalPartitionThroughputInfo: [
      { id: '0', throughput: 400 },
      { id: '1', throughput: 1600 }
    ]
  })
  const { endpoint, key } = emulator
  const writer = await createWriter({ endpoint, key, database: 'd', container: 'c' })
  const events: ThrottledRange[] = []
  writer.events.on('throttled', (throttled) => events.push(throttled))
  const errors = new Set<string>()
  const until = Date.now() + 4000
  for (let n = 0; Date.now() < until && events.length === 0; n++) {
    await writer.room()
    writer.submit({ kind: 'upsert', record: { id: String(n), pk: keyOf(n) } }, (outcome) => {
      if (outcome instanceof Error) errors.add(outcome.message)
    })
    if (n % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const stats = writer.stats()
  await writer.close(0).catch(() => undefined)
  return { events, stats, errors }
}

it('a writer names the hot key that Cosmos DB throttles', { timeout: 20_000 }, async () => {
  const { events, stats, errors } = await write((n) => (n % 10 < 8 ? FIRST[0] : FIRST[1 + (n % 100)]))

  expect(stats.throttledOperations).toBeGreaterThan(0)
  expect(stats.throttledRanges).toEqual(events)
  expect(events).toMatchObject([
    {
      range: '0',
      reason: 'hot-key',
      limitRuPerSecond: 400,
      provisionedRuPerSecond: 4000,
      heaviestKey: { hash: hashOf(FIRST[0]) }
    }
  ])
  expect(events[0].heaviestKey?.share).toBeCloseTo(0.8, 1)
  expect([...errors]).toEqual([
    `The writer was closed before this write had its outcome; it may have been applied. Cosmos DB throttles writes: ${events[0].explanation}.`
  ])
})

it('a writer names many keys in one range if none of them is hot', { timeout: 20_000 }, async () => {
  const { events } = await write((n) => FIRST[n % FIRST.length])

  expect(events).toMatchObject([{ range: '0', reason: 'many-keys-in-one-range' }])
})
