import type { Sink } from '@keystamp/connector'
import type { Emulator } from '@keystamp/emulator'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './start-world.ts'

/** A record of a test, by its number. */
export type RecordOf = (number: number) => { readonly key: string; readonly value: string }

/** Produces ten records at a time until it is stopped, and returns their number then. */
export function produce(
  { kafka, topic }: World,
  recordOf: RecordOf,
  everyMs: number = 20
): { readonly stop: () => Promise<number> } {
  const production = { isOn: true }
  let count = 0
  const running = (async (): Promise<void> => {
    while (production.isOn) {
      await kafka.produce(
        topic,
        Array.from({ length: 10 }, () => recordOf(count++))
      )
      await sleep(everyMs)
    }
  })()
  return {
    stop: async () => {
      production.isOn = false
      await running
      return count
    }
  }
}

export function sum(sinks: readonly Sink[], of: (stats: ReturnType<Sink['stats']>) => number): number {
  return sinks.reduce((total, sink) => total + of(sink.stats()), 0)
}

/**
 * The longest time between two writes of one topic partition since `fromMs`, in milliseconds, as the containers saw them.
 * The ids of the documents end with partition and offset. A copy of a document is written after the document, and does
 * not count.
 */
export function longestPauseMs({ operations }: Pick<Emulator, 'operations'>, fromMs: number): number {
  const seen = new Set<string>()
  const lastMs = new Map<string, number>()
  let longestMs = 0
  for (const { id, atMs } of operations()) {
    const partition = /-(\d+)-\d+$/.exec(id)?.[1]
    if (partition === undefined || seen.has(id)) continue
    seen.add(id)
    const before = lastMs.get(partition)
    if (before !== undefined && atMs >= fromMs) longestMs = Math.max(longestMs, atMs - before)
    lastMs.set(partition, atMs)
  }
  return longestMs
}

/**
 * The containers in which records were stored first, in order: one name for each run of records in one container. So
 * all partitions have stopped before the first of them goes on. A copy of a document is written after the document.
 */
export function containersInOrder({ operations }: Pick<Emulator, 'operations'>): readonly string[] {
  const seen = new Set<string>()
  const runs: string[] = []
  let isRecorded = true
  for (const { id, container } of operations()) {
    if (container === 'keystamp-moves') isRecorded = true
    if (!/-\d+-\d+$/.test(id) || seen.has(id)) continue
    seen.add(id)
    const run = isRecorded || container === runs.at(-1) ? container : `${container}, without a switch record`
    if (run !== runs.at(-1)) runs.push(run)
    isRecorded = false
  }
  return runs
}

/** Ids of records that were committed before the call, and have no document in the container. */
export async function missingIn(
  container: string,
  { kafka, group, topic, documents }: World
): Promise<readonly string[]> {
  const committed = await kafka.committed(group, [topic])
  const stored = new Set((await documents(container)).map(({ id }) => id))
  const ids = committed.flatMap(({ partition, offset = '0' }) =>
    Array.from({ length: Number(offset) }, (_, each) => `${topic}-${partition}-${each}`)
  )
  return ids.filter((id) => !stored.has(id))
}
