import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { OpenWork } from '../../src/partition/open-work.ts'

describe('open work', () => {
  it('counts over all partitions, and names one that waits', () => {
    const { work } = openWork([0, 2, 3])

    expect(work.count).toBe(5)
    expect(work.oldest).toBe('things/1 at offset 7')
    expect(openWork([0, 0]).work.oldest).toBeUndefined()
  })

  it('is done when the last has its outcome, and not before', async () => {
    const { work, flows } = openWork([1])
    let isDone = false
    const done = work.whenDone().then(() => (isDone = true))
    work.settled()
    await Promise.resolve()
    expect(isDone).toBe(false)

    flows[0].openCount = 0
    work.settled()

    expect(await done).toBe(true)
  })

  it('does not wait for records that stop the sink', async () => {
    const { work, flows } = openWork([3])
    work.refused()
    let isDone = false
    void work.whenDone().then(() => (isDone = true))
    await Promise.resolve()
    expect(isDone).toBe(false)

    flows[0].openCount = 1
    work.settled()
    await Promise.resolve()

    expect(isDone).toBe(true)
  })

  it('is done at once where there is none, and when it is given up', async () => {
    const { work } = openWork([1])
    const done = Promise.all([openWork([]).work.whenDone(), work.whenDone()])
    work.giveUp()

    await expect(done).resolves.toBeDefined()
  })
})

function openWork(counts: readonly number[]): { readonly work: OpenWork; readonly flows: { openCount: number }[] } {
  const flows = counts.map((openCount, partition) => ({
    topic: 'things',
    partition,
    openCount,
    oldestOpen: openCount === 0 ? undefined : toPosition(7)
  }))
  return { work: new OpenWork(() => flows), flows }
}
