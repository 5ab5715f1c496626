import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { Consumer, TopicPartition } from '../../src/kafka/consumer-port.ts'
import { createRejectionHandler } from '../../src/dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'
import type { Partitions } from '../../src/partition/partitions.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { createPartitions } from './create-partitions.ts'
import { batchOf, recordAt } from './records.ts'
import { decoderOf, UNREADABLE, WRITTEN } from './worker/begin.ts'

describe('the open records of all partitions', () => {
  it('are counted, and the oldest record of one partition is reported', () => {
    const { partitions, take } = own(3)
    take(1, 2)
    take(2, 3)

    expect(partitions.openCount).toBe(5)
    expect(partitions.oldestOpen).toBe('things/1 at offset 0')
    expect(own(2).partitions.oldestOpen).toBeUndefined()
  })

  it('are done when the last open record has its outcome, and not before', async () => {
    const { partitions, take, answers } = own(1)
    take(0, 2)
    const { isDone } = wait(partitions)
    answers[0]()
    await turn()
    expect(isDone()).toBe(false)

    answers[1]()
    await turn()

    expect(isDone()).toBe(true)
  })

  it('are done when the partition of the last open records was lost', async () => {
    const { partitions, take } = own(2)
    take(0, 2)
    const { isDone } = wait(partitions)
    partitions.lose([partitions.of({ topic: 'things', partition: 0 })!])
    await turn()

    expect(isDone()).toBe(true)
  })

  it('are done although the record that stops the sink has no outcome', async () => {
    const { partitions, take, answers } = own(1, (offset) => (offset === 0 ? UNREADABLE : undefined))
    take(0, 3)
    const { isDone } = wait(partitions)
    await turn()
    expect(isDone()).toBe(false)

    for (const answer of answers) answer()
    await turn()

    expect([isDone(), partitions.openCount]).toEqual([true, 1])
  })

  it('are done at once if there are no open records, and when the open records are given up', async () => {
    const { partitions, take } = own(1)
    take(0, 1)
    const done = Promise.all([own(0).partitions.whenDone(), partitions.whenDone()])
    partitions.giveUp()

    await expect(done).resolves.toBeDefined()
  })
})

describe('the memory of all partitions', () => {
  it('is divided by their number', () => {
    const { partitions, take, calls } = own(2)
    // more than a half of the memory, and less than all of it
    take(0, 6)
    expect(calls).toEqual(['resume 0,1', 'pause 0'])

    const alone = own(1)
    alone.take(0, 6)

    expect(alone.calls).toEqual(['resume 0'])
    expect(partitions.size).toBe(2)
  })
})

describe('the partitions of a sink that is stopped', () => {
  it('take no records, even if they are gained later', () => {
    const { partitions, take } = own(1)
    partitions.stop()
    partitions.gain([{ topic: 'things', partition: 1 }])
    take(0, 1)
    take(1, 1)

    expect(partitions.openCount).toBe(0)
  })
})

describe('the lag', () => {
  it('is read for a paused partition, but not for a partition whose records are delivered', async () => {
    const asked: number[][] = []
    const { partitions, clock, take } = own(2, undefined, (topicPartitions) => {
      asked.push(topicPartitions.map(({ partition }) => partition))
      return Promise.resolve(new Map([['things/0', toPosition(5000)]]))
    })
    take(0, 10)
    take(1, 1)
    const watch = partitions.watchEnds()
    await clock.runUntil(5001)
    watch.stop()
    await clock.runUntil(60_000)

    expect([...partitions.workers].map(({ records }) => records.lag)).toEqual([5000, 1])
    expect(asked).toEqual([[0]])
  })

  it('is read for a partition without a delivery', async () => {
    const { partitions, clock } = own(1, undefined, () => Promise.resolve(new Map([['things/0', toPosition(110)]])))
    const watch = partitions.watchEnds()
    await clock.runUntil(5001)
    watch.stop()

    expect([...partitions.workers][0].records.lag).toBe(110)
  })
})

interface Owned {
  readonly partitions: Partitions
  readonly clock: VirtualClock
  readonly calls: readonly string[]
  /** One function for each submitted record, which reports the record as written. */
  readonly answers: readonly (() => void)[]
  /** Delivers the first records of a partition. */
  readonly take: (partition: number, count: number) => void
}

/** Partitions from 0 on, which are claimed at offset 0. A rejected record stops the sink. */
function own(
  count: number,
  rejected: (offset: number) => SinkRejection | undefined = () => undefined,
  ends: Consumer['ends'] = () => Promise.resolve(new Map())
): Owned {
  const clock = new VirtualClock()
  const calls: string[] = []
  const answers: (() => void)[] = []
  const note = (what: string) => (topicPartitions: readonly TopicPartition[]) =>
    calls.push(`${what} ${topicPartitions.map((one) => one.partition).join()}`)
  const partitions = createPartitions({
    consumer: { ends, pause: note('pause'), resume: note('resume') },
    clock,
    decoder: decoderOf(rejected),
    targetOf: () =>
      ({
        map: () => ({ kind: 'delete', id: 'x', key: 'x' }),
        submit: (_operation: unknown, _fence: unknown, settle: (answer: typeof WRITTEN) => void) =>
          answers.push(() => settle(WRITTEN))
      }) as never,
    rejects: createRejectionHandler({ policy: 'stop', writer: undefined, tolerance: undefined })
  })
  partitions.gain(Array.from({ length: count }, (_, partition) => ({ topic: 'things', partition })))
  for (const worker of partitions.workers) {
    worker.beginAt(toPosition(0))
    worker.claimed()
  }
  return {
    partitions,
    clock,
    calls,
    answers,
    take: (partition, records) =>
      void partitions.of({ topic: 'things', partition })!.take(
        batchOf(
          Array.from({ length: records }, (_, offset) => recordAt(offset)),
          0
        )
      )
  }
}

function wait(partitions: Partitions): { readonly isDone: () => boolean } {
  let isDone = false
  void partitions.whenDone().then(() => (isDone = true))
  return { isDone: () => isDone }
}
