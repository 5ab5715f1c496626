import { type Position, toPosition } from '@keystamp/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { Assignment, Delivery } from '../../src/kafka/delivery.ts'
import { partitionName, type RecordBatch } from '../../src/kafka/consumer-port.ts'

const PARTITION = { topic: 't', partition: 0 }

describe('Delivery', () => {
  let received: RecordBatch[]
  let seeks: number[]
  let resolved: number[]
  let answer: (batch: RecordBatch) => Position | undefined
  let delivery: Delivery

  beforeEach(() => {
    received = []
    seeks = []
    resolved = []
    answer = ({ next }) => next
    delivery = new Delivery({
      received: (batch) => {
        received.push(batch)
        return answer(batch)
      },
      seek: (_partition, position) => void seeks.push(position)
    })
  })

  it('delivers a fetch that begins at the expected offset, and continues after it', async () => {
    beginAt(10)

    await fetch(10, 20)
    await fetch(20, 25)

    expect(received.map(({ from, next }) => [from, next])).toEqual([
      [10, 20],
      [20, 25]
    ])
    expect(resolved).toEqual([20, 25])
    expect(seeks).toEqual([])
  })

  it('seeks, and resolves no offset, if a fetch begins after or before the expected offset', async () => {
    beginAt(10)

    await fetch(15, 20)
    await fetch(5, 12)

    expect(received).toEqual([])
    expect(resolved).toEqual([])
    expect(seeks).toEqual([10, 10])
  })

  it('drops fetches of a partition that is paused, or that the member does not own', async () => {
    await fetch(0, 5)
    beginAt(0)
    delivery.pause([PARTITION])
    await fetch(0, 5)

    expect([received, resolved, seeks]).toEqual([[], [], []])
    expect(delivery.paused).toEqual([PARTITION])

    delivery.resume([PARTITION])
    await fetch(0, 5)
    expect(resolved).toEqual([5])
  })

  it('delivers nothing until the start offset is known', async () => {
    const assignment = new Assignment([PARTITION])
    let learn!: () => void
    assignment.known = new Promise((resolve) => {
      learn = resolve
    })
    delivery.begin(assignment)

    const fetching = fetch(3, 5)
    assignment.learn(new Map([[partitionName(PARTITION), toPosition(3)]]))
    learn()
    await fetching

    expect(resolved).toEqual([5])
  })

  it('resolves no offset of a fetch from before a join, even if the member has kept the partition', async () => {
    const before = new Assignment([PARTITION])
    let learn!: () => void
    before.known = new Promise((resolve) => {
      learn = resolve
    })
    delivery.begin(before)
    const fetching = fetch(3, 5)

    beginAt(3)
    learn()
    await fetching

    expect([received, resolved, seeks]).toEqual([[], [], []])
  })

  it('seeks to the offset that the listener returns, if it lies before or after the fetch', async () => {
    beginAt(10)
    answer = () => toPosition(4)
    await fetch(10, 20)
    answer = () => toPosition(90)
    await fetch(4, 20)
    await fetch(20, 30)

    expect(seeks).toEqual([4, 90, 90])
    expect(resolved).toEqual([])
  })

  it('stays at the expected offset if the listener takes no record of a fetch', async () => {
    beginAt(10)
    answer = () => undefined
    await fetch(10, 20)
    answer = ({ next }) => next
    await fetch(10, 20)

    expect(resolved).toEqual([20])
    expect(seeks).toEqual([])
  })

  it('seeks to every start offset in `seekAll`, and seeks again after the first batch, which may have been fetched earlier', async () => {
    beginAt(10)
    delivery.seekAll()
    expect(seeks).toEqual([10])

    await fetch(10, 20)
    await fetch(20, 30)

    expect(seeks).toEqual([10, 20])
    expect(resolved).toEqual([30])
  })

  it('begins again at the offset of `deliverFrom`, regardless of earlier deliveries', async () => {
    beginAt(10)
    await fetch(10, 20)

    delivery.deliverFrom(PARTITION, toPosition(4))
    await fetch(20, 30)
    await fetch(4, 20)

    expect(received.map(({ from }) => from)).toEqual([10, 4])
    expect(seeks).toEqual([4, 4])
  })

  it('keeps the offset of `deliverFrom` while the start offset is unknown, and ignores it if the partition is not owned', async () => {
    delivery.deliverFrom(PARTITION, toPosition(4))
    const assignment = new Assignment([PARTITION])
    delivery.begin(assignment)
    delivery.deliverFrom(PARTITION, toPosition(4))
    assignment.learn(new Map([[partitionName(PARTITION), toPosition(20)]]))

    await fetch(20, 30)
    await fetch(4, 20)

    expect(received.map(({ from }) => from)).toEqual([4])
    expect(seeks).toEqual([4, 4])
  })

  describe('for fetches without visible records', () => {
    it('continues after them', () => {
      beginAt(10)

      passOver({ first: 10, next: 12 })

      expect(received).toMatchObject([{ records: [], from: 10, next: 12, highWatermark: 99 }])
      expect(seeks).toEqual([])
    })

    it('seeks back once if the fetch begins after the expected offset, and accepts the same fetch the second time', () => {
      beginAt(10)
      passOver({ first: 14, next: 16 })
      expect(received).toEqual([])
      expect(seeks).toEqual([10])

      passOver({ first: 14, next: 16 })
      expect(received).toMatchObject([{ from: 10, next: 16 }])
      expect(seeks).toEqual([10])

      passOver({ first: 18, next: 20 })
      expect(seeks).toEqual([10, 16])
    })

    it('seeks back once more for the same fetch after another join', () => {
      beginAt(10)
      passOver({ first: 14, next: 16 })
      beginAt(10)
      passOver({ first: 14, next: 16 })

      expect(seeks).toEqual([10, 10])
    })

    it('accepts a fetch that advances by one offset when all of its records lie before that offset (compacted)', () => {
      beginAt(10)
      passOver({ first: undefined, next: 11 })

      expect(received).toMatchObject([{ from: 10, next: 11 }])
    })

    it('seeks back if the partition is paused, or if the listener returns an earlier offset', () => {
      beginAt(10)
      delivery.pause([PARTITION])
      passOver({ first: 10, next: 12 })
      delivery.resume([PARTITION])
      answer = () => toPosition(7)
      passOver({ first: 10, next: 12 })

      expect(received).toHaveLength(1)
      expect(seeks).toEqual([10, 7])
    })

    it('ignores partitions that the member does not own', () => {
      passOver({ first: 10, next: 12 })

      expect([received, seeks]).toEqual([[], []])
    })
  })

  function beginAt(position: number): void {
    const assignment = new Assignment([PARTITION])
    assignment.learn(new Map([[partitionName(PARTITION), toPosition(position)]]))
    delivery.begin(assignment)
  }

  async function fetch(from: number, next: number): Promise<void> {
    const batch = {
      ...PARTITION,
      records: [],
      from: toPosition(from),
      next: toPosition(next),
      highWatermark: toPosition(99)
    }
    const { assignment } = delivery
    if (!assignment.isKnown) await assignment.known
    if (!assignment.isKnown) return
    const decision = delivery.decide({ ...PARTITION, from: batch.from }, assignment)
    const nextFetch = decision.action === 'deliver' ? delivery.deliver(batch) : decision
    if (nextFetch.action === 'seek') seeks.push(nextFetch.to)
    else if (nextFetch.action === 'resolve') resolved.push(nextFetch.to)
  }

  function passOver({ first, next }: { first: number | undefined; next: number }): void {
    const at = first === undefined ? undefined : toPosition(first)
    delivery.emptyFetch({ ...PARTITION, first: at, next: toPosition(next), highWatermark: toPosition(99) })
  }
})
