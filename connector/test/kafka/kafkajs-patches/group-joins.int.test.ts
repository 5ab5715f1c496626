import { toPosition } from '@keystamp/core'
import type ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js'
import { describe, expect, it } from 'vitest'
import { MACHINE_CLOCK } from '../../../src/lifecycle/clock.ts'
import { GroupJoins } from '../../../src/kafka/kafkajs-patches/group-joins.ts'
import { deferred } from '../../simulation/deferred.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { illegalGeneration, timedOut } from '../scripted-requests.ts'

describe('joins of one consumer', () => {
  it('report the partitions of the join, and its number of JoinGroup requests', async () => {
    const { joins, steps, request } = begin()
    await joins.followJoin(GROUP, async () => request())
    await joins.followJoin(GROUP, async () => {
      request()
      request()
    })

    expect(steps).toEqual(['joined 1: t/0,t/1', 'rebalancing', 'joined 2: t/0,t/1'])
  })

  it('add the JoinGroup requests of a failed join to the number of the next join', async () => {
    const { joins, steps, request } = begin()
    await joins.followJoin(GROUP, async () => request())
    await expect(joins.followJoin(GROUP, () => Promise.reject(timedOut()))).rejects.toThrow('timed out')
    expect(() => joins.beforeFetch()).toThrow('a join did not complete')

    await joins.followJoin(GROUP, async () => {
      request()
      request()
    })

    expect(() => joins.beforeFetch()).not.toThrow()
    expect(steps.at(-1)).toBe('joined 2: t/0,t/1')
  })

  it('L5 are repeated if fetches from two brokers began them at the same time', async () => {
    const { joins, steps, request } = begin()
    await joins.followJoin(GROUP, async () => request())
    const first = deferred()
    const second = deferred()
    const both = [first, second].map(({ promise }) =>
      joins.followJoin(GROUP, () => {
        request()
        return promise
      })
    )
    first.resolve()
    await both[0]
    second.resolve()
    await both[1]

    expect(steps).toEqual(['joined 1: t/0,t/1', 'rebalancing'])
    expect(() => joins.beforeFetch()).toThrow('a join did not complete')
  })

  it('L5 begin when the answer to a heartbeat reports that the generation is over, before kafkajs has ended its handlers', async () => {
    const { joins, steps, request } = begin()
    await joins.followJoin(GROUP, async () => request())

    await expect(joins.asMember(() => Promise.reject(illegalGeneration()))).rejects.toThrow('Illegal generation')

    expect(steps.at(-1)).toBe('rebalancing')
    expect(() => joins.beforeFetch()).toThrow('The generation of the group is over')
  })

  it('do not begin with a heartbeat that was sent before the last join', async () => {
    const { joins, steps, request } = begin()
    await joins.followJoin(GROUP, async () => request())
    const held = deferred()
    const late = joins.asMember(async () => {
      await held.promise
      throw illegalGeneration()
    })
    await joins.followJoin(GROUP, async () => request())
    held.resolve()
    await expect(late).rejects.toThrow('Illegal generation')
    await turn()

    expect(steps.at(-1)).toBe('joined 1: t/0,t/1')
    expect(() => joins.beforeFetch()).not.toThrow()
  })
})

describe('a commit while the coordinator moves', () => {
  it('L5 is not sent if a rebalance begins during the search for the coordinator', async () => {
    const { joins, request } = begin()
    const { group, sent, searched } = movingGroup({ isConnected: false })
    await joins.followJoin(group, async () => request())

    const commit = joins.commit(COMMITS)
    joins.rebalancing()
    searched.resolve()

    expect(await commit).toBe(false)
    expect(sent).toEqual([])
  })

  it('L5 is not sent to the new coordinator if a rebalance began after the request to the former coordinator', async () => {
    const { joins, request } = begin()
    const { group, sent, searched } = movingGroup({ isConnected: true })
    await joins.followJoin(group, async () => request())

    const commit = joins.commit(COMMITS)
    await turn()
    joins.rebalancing()
    await joins.followJoin(group, async () => request())
    searched.resolve()

    await expect(commit).rejects.toThrow('timed out')
    expect(sent).toEqual(['former'])
  })

  it('is sent to the new coordinator in the same generation', async () => {
    const { joins, request } = begin()
    const { group, sent, searched } = movingGroup({ isConnected: true })
    await joins.followJoin(group, async () => request())

    const commit = joins.commit(COMMITS)
    await turn()
    searched.resolve()

    expect(await commit).toBe(true)
    expect(sent).toEqual(['former', 'new'])
  })
})

const GROUP = {
  generationId: 5,
  memberId: 'member',
  assigned: () => [{ topic: 't', partitions: [0, 1] }]
} as unknown as ConsumerGroup

const COMMITS = [{ topic: 't', partition: 0, position: toPosition(1), metadata: '' }]

/** A group whose coordinator answers nothing any more; the new one is known once `searched` is resolved. */
function movingGroup({ isConnected }: { readonly isConnected: boolean }) {
  const sent: string[] = []
  const searched = deferred()
  const coordinator = (name: string, answer: () => Promise<void>) => ({
    isConnected: () => isConnected,
    offsetCommit: () => {
      sent.push(name)
      return answer()
    }
  })
  const cluster = {
    findGroupCoordinator: async () => {
      await searched.promise
      return coordinator('new', async () => {})
    }
  }
  const former = coordinator('former', () => Promise.reject(timedOut()))
  return { group: { ...GROUP, cluster, coordinator: former } as unknown as ConsumerGroup, sent, searched }
}

function begin() {
  const joins = new GroupJoins({ clock: MACHINE_CLOCK, everyMs: 1000 })
  const steps: string[] = []
  joins.listen({
    rebalancing: () => steps.push('rebalancing'),
    outOfRange: () => Promise.resolve(),
    joined: ({ joinRequests, partitions }) =>
      steps.push(`joined ${joinRequests}: ${partitions.map(({ topic, partition }) => `${topic}/${partition}`).join()}`)
  })
  const assigner = joins.assigner({ cluster: undefined as never, groupId: 'g', logger: undefined as never })
  return { joins, steps, request: () => void assigner.protocol({ topics: ['t'] }) }
}
