import { describe, expect, it } from 'vitest'
import { divideBudget } from '../../src/write/budget-division.ts'
import { turn } from '../simulation/virtual-clock.ts'

describe('a budget that is divided as the partitions are', () => {
  it('gives every target the part of the partitions that are owned', async () => {
    const { divide, parts, answer } = begin({ owned: 2 })
    divide()
    answer(8)
    await turn()

    expect(parts).toEqual([0.25, 0.25])
  })

  it('looks at what is owned when the count is there: a rebalance on the way is not lost', async () => {
    const group = { owned: 8 }
    const { divide, parts, answer } = begin(group)
    divide()
    group.owned = 4
    divide()
    answer(8)
    await turn()

    expect(parts).toEqual([0.5, 0.5])
  })

  it('is left as it is while nothing is owned, and never more than all of it', async () => {
    const group = { owned: 0 }
    const { divide, parts, answer } = begin(group)
    divide()
    answer(8)
    await turn()
    expect(parts).toEqual([])

    group.owned = 9
    divide()
    answer(8)
    await turn()
    expect(parts).toEqual([1, 1])
  })

  it('is left as it is where the count cannot be had, which is told, and asked again at the next change', async () => {
    const { divide, parts, troubles, answer, refuse } = begin({ owned: 2 })
    divide()
    refuse(new Error('the broker is away'))
    await turn()
    expect(troubles).toEqual(['the broker is away'])

    divide()
    answer(4)
    await turn()
    expect(parts).toEqual([0.5, 0.5])
  })
})

interface Begun {
  readonly divide: () => void
  readonly parts: number[]
  readonly troubles: string[]
  readonly answer: (count: number) => void
  readonly refuse: (error: Error) => void
}

function begin(group: { readonly owned: number }): Begun {
  const parts: number[] = []
  const troubles: string[] = []
  const target = { usePart: (part: number): void => void parts.push(part) }
  let asked: { answer: (count: number) => void; refuse: (error: Error) => void } | undefined
  const divide = divideBudget({
    consumer: {
      countPartitions: () =>
        new Promise((answer, refuse) => {
          asked = { answer, refuse }
        })
    },
    owned: () => group.owned,
    targets: () => [target, target],
    onTrouble: ({ message }) => troubles.push(message)
  })
  return { divide, parts, troubles, answer: (count) => asked!.answer(count), refuse: (error) => asked!.refuse(error) }
}
