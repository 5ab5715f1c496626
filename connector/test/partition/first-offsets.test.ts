import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { readMetadata, writeMetadata } from '../../src/kafka/consumer-port.ts'
import { turn } from '../simulation/virtual-clock.ts'
import { begin, PARTITION } from './begin-ownership.ts'

describe('a partition without a stored offset whose container is not open yet', () => {
  const START = { ...PARTITION, position: toPosition(90) }

  // checks L1
  it('has its start offset stored at once, so that the next owner loses nothing, and is claimed when the container is open', async () => {
    const { ownership, claimed, commits, open } = begin(undefined, undefined, false)
    ownership.assigned([PARTITION])
    await turn()
    ownership.learned([START])
    await turn()

    expect({ claimed, commits: commits.map(({ position }) => position) }).toEqual({ claimed: [], commits: [90] })
    expect(readMetadata(commits[0].metadata)).toEqual({ plan: undefined, by: 'me', hasLeft: true, partitions: 4 })
    open()
    await turn()
    expect(claimed).toEqual([0])
    expect(commits.slice(1)).toEqual([{ ...START, metadata: 'mine' }])
  })

  it('has its start offset stored only after the stored offsets have confirmed the kept partitions', async () => {
    const { ownership, commits, answer, stored } = begin(undefined, undefined, false)
    const asked = answer()
    ownership.assigned([PARTITION])
    ownership.learned([START])
    await turn()
    expect(commits).toEqual([])

    ownership.rebalancing()
    asked.resolve([stored()])
    await turn()
    expect(commits).toEqual([])

    ownership.assigned([PARTITION])
    ownership.learned([START])
    await turn()
    expect(commits.map(({ position }) => position)).toEqual([90])
  })

  it('has its start offset sent again until the group stores it', async () => {
    let isTaken = false
    const { ownership, commits, clock } = begin(undefined, (asked) => (isTaken ? asked : []), false)
    ownership.assigned([PARTITION])
    await turn()
    ownership.learned([START])
    await turn()
    isTaken = true
    await clock.runUntil(5000)

    expect(commits.map(({ position }) => position)).toEqual([90, 90])
  })

  it('has no start offset stored during a rebalance', async () => {
    const { ownership, commits, clock } = begin(undefined, () => [], false)
    ownership.assigned([PARTITION])
    await turn()
    ownership.learned([START])
    await turn()
    ownership.rebalancing()
    await clock.runUntil(5000)

    expect(commits).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('is claimed only when the request that stores its start offset has been answered', async () => {
    let answerStart!: () => void
    const answered = new Promise<void>((resolve) => {
      answerStart = resolve
    })
    const { ownership, commits, open, claimed } = begin(
      undefined,
      (asked) => (asked[0].metadata === 'mine' ? asked : answered.then(() => asked)),
      false
    )
    ownership.assigned([PARTITION])
    await turn()
    ownership.learned([START])
    open()
    await turn()
    expect(commits).toHaveLength(1)

    answerStart()
    await turn()
    expect(commits).toHaveLength(2)
    expect(claimed).toEqual([0])
  })

  it('begins at the stored start offset with its next owner, at once and under any plan', async () => {
    const { ownership, claimed, commits, store, failures } = begin(undefined)
    const metadata = writeMetadata({ plan: undefined, by: 'somebody', hasLeft: true, partitions: 1 })
    store({ ...START, metadata })
    ownership.assigned([PARTITION])
    await turn()

    expect({ claimed, failures }).toEqual({ claimed: [0], failures: [] })
    expect(commits).toEqual([{ ...START, metadata: 'mine' }])
  })

  it('keeps the stored commit of another owner, whose requests may be in flight', async () => {
    const { ownership, commits, store } = begin(undefined, () => [], false)
    ownership.assigned([PARTITION])
    await turn()
    ownership.learned([START])
    await turn()
    const before = commits.length
    store({ ...START, metadata: writeMetadata({ plan: 'plan-2', by: 'somebody', hasLeft: false }) })
    ownership.rebalancing()
    ownership.assigned([PARTITION])
    await turn()

    expect(commits).toHaveLength(before)
  })

  it('delays no partition whose container is open', async () => {
    const other = { topic: 'others', partition: 1 }
    const { ownership, claimed, answer, stored } = begin({ hasLeft: true }, undefined, false)
    answer().resolve([stored(), { ...stored(), ...other }])
    ownership.assigned([PARTITION, other])
    await turn()

    expect(claimed).toEqual([1])
  })
})
