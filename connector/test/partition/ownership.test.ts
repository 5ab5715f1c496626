import { KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { drainedPlan } from '../../src/switch/switch-record.ts'
import { turn } from '../simulation/virtual-clock.ts'
import { begin, PARTITION } from './begin-ownership.ts'

describe('a partition that was gained', () => {
  it('begins at once if its former owner has shut down cleanly', async () => {
    const { ownership, claimed } = begin({ hasLeft: true })
    ownership.assigned([PARTITION])
    await turn()

    expect(claimed).toEqual([0])
  })

  // checks L5
  it('waits for the handover period if its former owner has not shut down cleanly', async () => {
    const { ownership, claimed, clock } = begin({ hasLeft: false })
    ownership.assigned([PARTITION])
    await turn()
    expect(claimed).toEqual([])
    expect(ownership.waits).toEqual([
      { reason: 'handover', detail: expect.stringContaining('former owners of 1 partitions') }
    ])

    await clock.runUntil(1000)

    expect(claimed).toEqual([0])
    expect(ownership.waits).toEqual([])
  })

  // checks L5
  it('is claimed before any of its records is written', async () => {
    const { ownership, commits } = begin({ hasLeft: true })
    ownership.assigned([PARTITION])
    await turn()

    expect(commits).toEqual([{ ...PARTITION, position: 12, metadata: 'mine' }])
  })

  // checks L3
  it('stops the sink when it was committed under another plan', async () => {
    const { ownership, failures, claimed } = begin({ hasLeft: true, plan: 'other' })
    ownership.assigned([PARTITION])
    await turn()

    expect(claimed).toEqual([])
    expect(failures).toEqual([
      expect.stringMatching(
        /^PLAN_CHANGED: .*topic "things", partition 0 was committed under another key plan \(other; this one is plan-2\)/
      )
    ])
  })

  // checks L3
  it('stops a sink without `move` when it was stopped for a switch by the other members', async () => {
    const plan = drainedPlan({ id: 'by-vin:group', round: 1, from: 'plan-2', to: 'plan-3' })
    const { ownership, failures, claimed } = begin({ hasLeft: true, plan })
    ownership.assigned([PARTITION])
    await turn()

    expect(claimed).toEqual([])
    expect(failures).toEqual([
      expect.stringMatching(
        /^PLAN_CHANGED: .*\(stopped for the switch by-vin:group, round 1, after plan-2; this one is/
      )
    ])
  })

  it.each([
    ['the new plan lists the old one as previous', { plan: 'plan-1' }],
    ['the settings accept it', { plan: 'other', acceptPlanChange: true }]
  ])('resumes under another plan if %s', async (_why, changes) => {
    const { ownership, claimed, failures } = begin({ hasLeft: true, ...changes })
    ownership.assigned([PARTITION])
    await turn()

    expect(failures).toEqual([])
    expect(claimed).toEqual([0])
  })

  // checks L5
  it('is claimed with its first record if nothing was ever committed', async () => {
    const { ownership, partitions, claimed, commits } = begin(undefined)
    ownership.assigned([PARTITION])
    await turn()
    expect(claimed).toEqual([])

    const [worker] = partitions.workers
    worker.beginAt(toPosition(3))
    await turn()

    expect(claimed).toEqual([0])
    expect(commits).toMatchObject([{ position: 3 }])
  })
})

describe('a claim that the group does not store', () => {
  it('is reported as a wait while it is retried', async () => {
    let isTaken = false
    const { ownership, claimed, clock } = begin({ hasLeft: true }, (asked) => (isTaken ? asked : []))
    ownership.assigned([PARTITION])
    await turn()
    expect(ownership.waits).toMatchObject([{ reason: 'kafka', detail: 'claims of 1 partitions are not stored yet' }])
    expect(claimed).toEqual([])

    isTaken = true
    await clock.runUntil(1000)

    expect(ownership.waits).toEqual([])
    expect(claimed).toEqual([0])
  })

  it('is reported, and does not delay other partitions', async () => {
    let isDown = true
    const { ownership, claimed, failures, commitErrors, clock } = begin({ hasLeft: true }, (asked) => {
      if (isDown) throw new Error('the broker is away')
      return asked
    })
    ownership.assigned([PARTITION])
    await turn()
    expect(commitErrors).toEqual(['the broker is away'])

    isDown = false
    await clock.runUntil(1000)

    expect(failures).toEqual([])
    expect(claimed).toEqual([0])
  })

  it('is retried with growing delays while Kafka refuses the credentials', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => {
      throw new KeystampError('KAFKA_UNAUTHORIZED', 'The password is wrong.')
    })
    ownership.assigned([PARTITION])
    await turn()
    await clock.runUntil(15 * 60_000)

    // after 0.2, 0.4, 0.8 ... 12.8 seconds, then every 15 seconds
    expect(commits.length).toBeGreaterThan(60)
    expect(commits.length).toBeLessThan(70)
  })

  it('is not retried for a partition that was lost', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => [])
    ownership.assigned([PARTITION])
    await turn()

    ownership.assigned([])
    await clock.runUntil(1000)

    expect(commits).toHaveLength(1)
    expect(ownership.waits).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('an ownership that is closed', () => {
  it('waits for nothing, and claims nothing', async () => {
    const { ownership, claimed, commits, clock } = begin({ hasLeft: false })
    ownership.assigned([PARTITION])
    await turn()

    ownership.close()

    expect(clock.pending).toBe(0)
    expect(ownership.waits).toEqual([])
    await clock.runUntil(5000)
    expect({ claimed, commits }).toEqual({ claimed: [], commits: [] })
  })

  it('stops retrying claims', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => [])
    ownership.assigned([PARTITION])
    await turn()
    await clock.runUntil(1000)
    const asked = commits.length

    ownership.close()
    await clock.runUntil(5000)

    expect(asked).toBeGreaterThan(5)
    expect(commits).toHaveLength(asked)
    expect(clock.pending).toBe(0)
  })
})

describe('a rebalance', () => {
  it('keeps the records in flight of kept partitions', async () => {
    const { ownership, partitions } = begin({ hasLeft: true })
    ownership.assigned([PARTITION])
    await turn()
    const [before] = partitions.workers

    ownership.assigned([PARTITION, { topic: 'things', partition: 1 }])

    expect([...partitions.workers][0]).toBe(before)
    expect(partitions.size).toBe(2)
  })

  // checks L5
  it('loses the partitions that are not assigned any more, and fences their requests', async () => {
    const { ownership, partitions } = begin({ hasLeft: true })
    ownership.assigned([PARTITION])
    await turn()
    const [worker] = partitions.workers

    ownership.assigned([])

    expect(worker.isLost).toBe(true)
    expect(partitions.size).toBe(0)
  })
})
