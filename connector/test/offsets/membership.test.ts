import { type KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { Commit, Committed } from '../../src/consume/consumer-port.ts'
import { writeMetadata } from '../../src/offsets/commit-metadata.ts'
import { Membership } from '../../src/offsets/membership.ts'
import type { Target } from '../../src/write/target.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const PLACE = { topic: 'things', partition: 0 }

describe('a partition that was gained', () => {
  it('begins at once where its former owner has left in order', async () => {
    const { membership, ready } = begin({ hasLeft: true })
    membership.assigned([PLACE])
    await turn()

    expect(ready).toEqual([0])
  })

  it('waits until what its former owner sent has landed', async () => {
    const { membership, ready, clock } = begin({ hasLeft: false })
    membership.assigned([PLACE])
    await turn()
    expect(ready).toEqual([])
    expect(membership.waits).toEqual([{ reason: 'handover', detail: expect.stringContaining('former owners of 1 partitions') }])

    await clock.runUntil(1000)

    expect(ready).toEqual([0])
    expect(membership.waits).toEqual([])
  })

  it('is signed before anything is written behind its position', async () => {
    const { membership, commits } = begin({ hasLeft: true })
    membership.assigned([PLACE])
    await turn()

    expect(commits).toEqual([{ ...PLACE, position: 12, metadata: 'mine' }])
  })

  it('stops the work when it was committed under another plan, in a sentence', async () => {
    const { membership, failures, ready } = begin({ hasLeft: true, plan: 'other' })
    membership.assigned([PLACE])
    await turn()

    expect(ready).toEqual([])
    expect(failures).toEqual([
      expect.stringMatching(
        /^PLAN_CHANGED: .*topic "things", partition 0 was committed under another key plan \(other; this one is plan-2\)/
      )
    ])
  })

  it.each([
    ['the new plan lists the old one as previous', { plan: 'plan-1' }],
    ['the settings say so', { plan: 'other', acceptPlanChange: true }]
  ])('goes on from another plan where %s', async (_why, changes) => {
    const { membership, ready, failures } = begin({ hasLeft: true, ...changes })
    membership.assigned([PLACE])
    await turn()

    expect(failures).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is signed by its first record where nothing was ever committed', async () => {
    const { membership, ready, commits } = begin(undefined)
    membership.assigned([PLACE])
    await turn()
    expect(ready).toEqual([])

    const [flow] = membership.flows
    flow.beginAt(toPosition(3))
    membership.hasBegun(flow)
    await turn()

    expect(ready).toEqual([0])
    expect(commits).toMatchObject([{ position: 3 }])
  })
})

describe('a signature that the group does not take', () => {
  it('has a name while it is offered again', async () => {
    let isTaken = false
    const { membership, ready, clock } = begin({ hasLeft: true }, (asked) => (isTaken ? asked : []))
    membership.assigned([PLACE])
    await turn()
    expect(membership.waits).toMatchObject([{ reason: 'kafka', detail: 'claims of 1 partitions are not stored yet' }])
    expect(ready).toEqual([])

    isTaken = true
    await clock.runUntil(1000)

    expect(membership.waits).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is told of, and holds up no other work', async () => {
    let isDown = true
    const { membership, ready, failures, troubles, clock } = begin({ hasLeft: true }, (asked) => {
      if (isDown) throw new Error('the broker is away')
      return asked
    })
    membership.assigned([PLACE])
    await turn()
    expect(troubles).toEqual(['the broker is away'])

    isDown = false
    await clock.runUntil(1000)

    expect(failures).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is offered no more for a partition that was lost', async () => {
    const { membership, commits, clock } = begin({ hasLeft: true }, () => [])
    membership.assigned([PLACE])
    await turn()

    membership.assigned([])
    await clock.runUntil(1000)

    expect(commits).toHaveLength(1)
    expect(membership.waits).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('a membership that is given up', () => {
  it('waits for nothing any more, and signs nothing', async () => {
    const { membership, ready, commits, clock } = begin({ hasLeft: false })
    membership.assigned([PLACE])
    await turn()

    membership.close()

    expect(clock.pending).toBe(0)
    expect(membership.waits).toEqual([])
    await clock.runUntil(5000)
    expect({ ready, commits }).toEqual({ ready: [], commits: [] })
  })

  it('stops asking for what it could not sign', async () => {
    const { membership, commits, clock } = begin({ hasLeft: true }, () => [])
    membership.assigned([PLACE])
    await turn()
    await clock.runUntil(1000)
    const asked = commits.length

    membership.close()
    await clock.runUntil(5000)

    expect(asked).toBeGreaterThan(5)
    expect(commits).toHaveLength(asked)
    expect(clock.pending).toBe(0)
  })
})

describe('a rebalance', () => {
  it('keeps what is open of the partitions that stay', async () => {
    const { membership } = begin({ hasLeft: true })
    membership.assigned([PLACE])
    await turn()
    const [before] = membership.flows

    membership.assigned([PLACE, { topic: 'things', partition: 1 }])

    expect([...membership.flows][0]).toBe(before)
    expect(membership.size).toBe(2)
  })

  it('loses the partitions that are not listed any more, and fences what is on its way', async () => {
    const { membership } = begin({ hasLeft: true })
    membership.assigned([PLACE])
    await turn()
    const [flow] = membership.flows

    membership.assigned([])

    expect(flow.isLost).toBe(true)
    expect(membership.size).toBe(0)
  })
})

interface Stored {
  readonly hasLeft: boolean
  readonly plan?: string
  readonly acceptPlanChange?: boolean
}

interface Begun {
  readonly membership: Membership
  readonly clock: VirtualClock
  readonly ready: number[]
  readonly commits: Commit[]
  readonly failures: string[]
  readonly troubles: string[]
}

function begin(stored: Stored | undefined, store: (asked: readonly Commit[]) => readonly Commit[] = (asked) => asked): Begun {
  const clock = new VirtualClock()
  const ready: number[] = []
  const commits: Commit[] = []
  const failures: string[] = []
  const troubles: string[] = []
  const metadata = stored === undefined ? '' : writeMetadata({ plan: stored.plan ?? 'plan-2', by: 'somebody', hasLeft: stored.hasLeft })
  const committed: Committed = { ...PLACE, position: stored === undefined ? undefined : toPosition(12), metadata }
  const membership = new Membership({
    consumer: {
      commit: (asked) => {
        commits.push(...asked)
        return Promise.resolve(store(asked))
      },
      committed: () => Promise.resolve([committed]),
      resume: () => undefined
    },
    clock,
    openTarget: () => Promise.resolve({ fingerprint: 'plan-2', previousFingerprints: ['plan-1'] } as unknown as Target),
    self: 'me',
    metadataFor: () => 'mine',
    handoverMs: 1000,
    acceptPlanChange: stored?.acceptPlanChange ?? false,
    onChange: () => undefined,
    onTrouble: ({ message }) => troubles.push(message),
    onReady: ({ partition }) => ready.push(partition),
    fail: (error) => failures.push(`${(error as KeystampError).code}: ${error.message}`)
  })
  return { membership, clock, ready, commits, failures, troubles }
}
