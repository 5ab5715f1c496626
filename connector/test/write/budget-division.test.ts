import { describe, expect, it } from 'vitest'
import { divideBudget } from '../../src/write/targets.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

describe('a budget that is divided by partitions', () => {
  it('is multiplied, for every container, by the fraction of partitions that the sink owns', async () => {
    const { divide, parts, answer } = begin({ owned: 2 })
    divide()
    answer(8)
    await turn()

    expect(parts).toEqual([0.25, 0.25])
  })

  it('uses the partitions that are owned when the count arrives, even after a rebalance meanwhile', async () => {
    const group = { owned: 8 }
    const { divide, parts, answer } = begin(group)
    divide()
    group.owned = 4
    divide()
    answer(8)
    await turn()

    expect(parts).toEqual([0.5, 0.5])
  })

  it('is unchanged while the sink owns no partition, and is never more than the whole budget', async () => {
    const group = { owned: 1 }
    const { divide, parts, answer } = begin(group)
    divide()
    group.owned = 0
    answer(8)
    await turn()
    expect(parts).toEqual([])

    group.owned = 9
    divide()
    answer(8)
    await turn()
    expect(parts).toEqual([1, 1])
  })

  it('is unchanged while the partitions cannot be counted, and is divided as soon as they can be counted', async () => {
    const { divide, parts, failures, answer, refuse, clock } = begin({ owned: 2 })
    divide()
    refuse(new Error('the broker is away'))
    await turn()
    await clock.runUntil(2000)
    refuse(new Error('the broker is away'))
    await turn()
    await clock.runUntil(4000)
    expect(failures).toEqual([])
    refuse(new Error('the broker is away'))
    await turn()
    await clock.runUntil(6000)
    expect(failures).toEqual(['the broker is away'])

    answer(4)
    await clock.runUntil(20_000)

    expect(parts).toEqual([0.5, 0.5])
    expect(clock.pending).toBe(0)
  })

  it('is not divided while the sink owns no partition, and not after the sink has ended', async () => {
    const { divide, asks } = begin({ owned: 0 })
    divide()
    expect(asks()).toBe(0)

    const other = begin({ owned: 1 })
    other.divide()
    other.refuse(new Error('the broker is away'))
    await turn()
    other.stop()
    other.divide()
    await other.clock.runUntil(20_000)

    expect(other.asks()).toBe(1)
    expect(other.clock.pending).toBe(0)
  })
})

interface Begun {
  readonly divide: () => void
  readonly stop: () => void
  readonly asks: () => number
  readonly clock: VirtualClock
  readonly parts: number[]
  readonly failures: string[]
  readonly answer: (count: number) => void
  readonly refuse: (error: Error) => void
}

function begin(group: { readonly owned: number }): Begun {
  const parts: number[] = []
  const failures: string[] = []
  const target = { usePart: (part: number): void => void parts.push(part) }
  let asked: { answer: (count: number) => void; refuse: (error: Error) => void } | undefined
  const clock = new VirtualClock()
  let asks = 0
  const { divide, stop } = divideBudget({
    clock,
    consumer: {
      countPartitions: () =>
        new Promise((answer, refuse) => {
          asks++
          asked = { answer, refuse }
        })
    },
    owned: () => group.owned,
    targets: () => [target, target],
    onCountFailed: ({ message }) => failures.push(message)
  })
  return {
    divide,
    stop,
    asks: () => asks,
    clock,
    parts,
    failures,
    answer: (count) => asked!.answer(count),
    refuse: (error) => asked!.refuse(error)
  }
}
