import { KeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { writeMetadata } from '../../src/kafka/consumer-port.ts'
import { type GroupPartition, type GroupState, SinkSwitch } from '../../src/switch/sink-switch.ts'
import { switchId, type SwitchRecord } from '../../src/switch/switch-record.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const ID = 'by-vin:group'

describe('the switch of a group of sinks', () => {
  it('is requested, confirmed, and completed with the offsets and plans of the confirmations', async () => {
    const { steps, run, group, record } = start()
    const requested = steps.request('target')
    await run(200)
    expect(record()).toEqual({ id: ID, group: 'group', round: 1, to: 'target', state: 'requested' })
    group.push(confirmed(0, 7, 1), confirmed(1, 0, 1))
    await run(200)
    expect(await requested).toEqual({ isDone: true })

    expect(await steps.complete('target')).toEqual({ isDone: true })
    expect(record()).toEqual({
      id: ID,
      group: 'group',
      round: 1,
      to: 'target',
      state: 'switched',
      plans: { from: 'old', to: 'new' },
      offsets: { things: { 0: 7, 1: 0 } }
    })
  })

  it('names the partitions that are not confirmed, and their members, when the time is over', async () => {
    const { steps, run, group } = start()
    group.push(confirmed(0, 7, 1), { ...confirmed(1, 9, 1), metadata: 'x', owner: 'member b at /10.0.0.7' })
    const requested = steps.request('target')
    await run(6000)

    expect(await requested).toEqual({
      isDone: false,
      reason:
        'Not every partition was confirmed within 5 s. 1 of 2 partitions are confirmed; missing: things/1 (member b at /10.0.0.7).'
    })
  })

  it.each([
    ['a rebalance', { isStable: false }, 'The group is in a rebalance.'],
    ['no member', {}, 'No member of the group runs.']
  ])('is not confirmed by a group with %s', async (_what, state, why) => {
    const { steps, run, set } = start()
    set(state)
    const requested = steps.request('target')
    await run(6000)

    expect(await requested).toMatchObject({ isDone: false, reason: expect.stringContaining(why) })
  })

  it('is not confirmed by members with different plans', async () => {
    const { steps, run, group } = start()
    group.push(confirmed(0, 7, 1), confirmed(1, 7, 1, 'newer'))
    const requested = steps.request('target')
    await run(6000)

    expect(await requested).toMatchObject({ isDone: false, reason: expect.stringContaining('have different plans') })
  })

  it('waits no longer for confirmations when its signal aborts, and can be called off', async () => {
    const { steps, run, record } = start()
    const ending = new AbortController()
    const requested = steps.request('target', ending.signal).catch((error: unknown) => error)
    await run(200)
    ending.abort(new Error('The move was interrupted.'))
    expect(await requested).toMatchObject({ message: 'The move was interrupted.' })

    expect(await steps.cancel('target')).toEqual({ isDone: true })
    expect(record()).toMatchObject({ state: 'canceled' })
  })

  it('does not count confirmations of an earlier round', async () => {
    const { steps, run, group } = start()
    group.push(confirmed(0, 7, 1))
    const first = steps.request('target')
    await run(200)
    await first
    await steps.cancel('target')

    const second = steps.request('target')
    await run(6000)
    expect(await second).toMatchObject({ isDone: false, reason: expect.stringContaining('0 of 1 partitions') })
  })

  it('can be called off until it is completed, and not after', async () => {
    const { steps, run, group, record } = start()
    group.push(confirmed(0, 7, 1))
    await steps.request('target')
    expect(await steps.cancel('target')).toEqual({ isDone: true })
    expect(record()).toMatchObject({ state: 'canceled' })
    expect(await steps.complete('target')).toMatchObject({ isDone: false })

    group[0] = confirmed(0, 7, 2)
    await steps.request('target')
    await steps.complete('target')
    await run(0)
    expect(await steps.cancel('target')).toEqual({
      isDone: false,
      reason: 'The sinks write to the other container already.'
    })
    expect(record()).toMatchObject({ state: 'switched', round: 2 })
  })

  it('is refused if the sinks write to that container already', async () => {
    const { steps } = start()

    expect(await steps.request('source')).toMatchObject({
      isDone: false,
      reason: 'The group group writes to this container already.'
    })
  })

  it('keeps the offsets of the last round that succeeded while the way back is requested', async () => {
    const { steps, run, group, record } = start()
    group.push(confirmed(0, 7, 1))
    await steps.request('target')
    await steps.complete('target')
    const back = steps.request('source')
    await run(100)
    expect(record()).toMatchObject({ state: 'requested', round: 2, to: 'source', offsets: { things: { 0: 7 } } })

    group[0] = confirmed(0, 11, 2)
    await run(6000)
    expect(await back).toEqual({ isDone: true })
  })

  it('is completed once, even if the answer to that was lost', async () => {
    const { steps, run, group, record, loseAnswers } = start()
    group.push(confirmed(0, 7, 1))
    await steps.request('target')
    loseAnswers(1)
    const completed = steps.complete('target')
    await run(2000)

    expect(await completed).toEqual({ isDone: true })
    expect(record()).toMatchObject({ state: 'switched', round: 1 })
  })
})

describe('the id of a switch record', () => {
  it('has only characters that an id of Cosmos DB may have', () => {
    expect(switchId('by-vin', 'team/drives?#\\')).toBe('by-vin:team_drives___')
  })
})

function confirmed(partition: number, position: number, round: number, to: string = 'new'): GroupPartition {
  const drained = { id: ID, round, from: 'old', to }
  const metadata = writeMetadata({ plan: 'x', by: 'me', hasLeft: false, drained })
  return { topic: 'things', partition, position, metadata, owner: 'member a at /10.0.0.5' }
}

function start(): {
  readonly steps: SinkSwitch
  readonly group: GroupPartition[]
  readonly set: (state: Partial<GroupState>) => void
  readonly record: () => SwitchRecord | undefined
  readonly loseAnswers: (count: number) => void
  readonly run: (ms: number) => Promise<void>
} {
  const clock = new VirtualClock()
  const group: GroupPartition[] = []
  let state: Partial<GroupState> = {}
  let record: SwitchRecord | undefined
  let version = 0
  let lost = 0
  const steps = new SinkSwitch({
    id: ID,
    group: 'group',
    records: {
      create: async () => undefined,
      read: async () => record && { record, etag: String(version) },
      put: async (next, after) => {
        if (Number(after?.etag ?? 0) !== version) return false
        record = next
        version++
        if (lost-- > 0) throw new KeystampError('COSMOS_UNAVAILABLE', 'No answer.')
        return true
      }
    },
    readGroup: async () => ({ isStable: true, partitions: [...group], ...state }),
    clock,
    confirmMs: 5000,
    onStep: () => undefined
  })
  return {
    steps,
    group,
    set: (next) => {
      state = next
    },
    record: () => record,
    loseAnswers: (count) => {
      lost = count
    },
    run: async (ms) => {
      await turn()
      await clock.runUntil(clock.now() + ms)
    }
  }
}
