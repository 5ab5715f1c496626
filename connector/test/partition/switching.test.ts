import { isKeystampError, type KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type Committed, partitionName, writeMetadata } from '../../src/kafka/consumer-port.ts'
import { Join } from '../../src/partition/claims.ts'
import type { Partitions } from '../../src/partition/partitions.ts'
import type { PartitionWorker } from '../../src/partition/partition-worker.ts'
import { Switching } from '../../src/partition/switching.ts'
import { drainedPlan, type SwitchRecord } from '../../src/switch/switch-record.ts'
import type { Target } from '../../src/write/target.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { createPartitions } from './create-partitions.ts'
import { batchOf, recordAt } from './records.ts'

const PARTITION = { topic: 'things', partition: 0 }
const REQUESTED: SwitchRecord = { id: 's', group: 'g', round: 1, to: 'target', state: 'requested' }
const SWITCHED: SwitchRecord = {
  ...REQUESTED,
  state: 'switched',
  plans: { from: 'old', to: 'new' },
  offsets: { things: { 0: 12 } }
}
const CANCELLED: SwitchRecord = { ...REQUESTED, state: 'canceled' }

describe('a partition of a sink with two containers', () => {
  it.each([
    ['the source before the first switch', undefined, 'old', 'source'],
    ['the source after a switch that was called off', CANCELLED, 'old', 'source'],
    ['the target after the switch', SWITCHED, 'new', 'target'],
    ['the target at exactly the offset of the switch', SWITCHED, 'old', 'target'],
    ['the source after the way back', { ...SWITCHED, round: 2, to: 'source' } as const, 'old', 'source'],
    [
      'the source at exactly the offset of the way back',
      { ...SWITCHED, round: 2, to: 'source' } as const,
      'new',
      'source'
    ]
  ])('L3 is written to %s', async (_what, record, plan, container) => {
    const { route, switching, worker } = start(record)
    await route(plan, 12)

    expect(switching.targetOf(worker)).toMatchObject({ container })
  })

  it.each([
    [
      'another offset than that of the switch',
      SWITCHED,
      'old',
      13,
      'is 13, committed under the plan of the container that is not in charge, but the switch was at 12'
    ],
    [
      'an offset under the new plan, without a switch',
      undefined,
      'new',
      12,
      'the switch record names no offset for it'
    ],
    [
      'an offset under the new plan, after a switch that was called off',
      CANCELLED,
      'new',
      12,
      'the switch record names no offset for it'
    ],
    [
      'an offset under a third plan',
      SWITCHED,
      'other',
      12,
      'was committed under another key plan (other; the plan in charge is new)'
    ]
  ])('L3 stops the sink at %s', async (_what, record, plan, position, why) => {
    const { route } = start(record)

    expect(await route(plan, position)).toMatchObject({ code: 'PLAN_CHANGED', message: expect.stringContaining(why) })
  })

  it('waits for a newer record if the group stores a confirmation of a later round', async () => {
    const { switching, worker, stored, clock, publish } = start(undefined)
    const routed = switching.route(new Join(clock), [worker], stored('old', 12, 1))
    await clock.runUntil(1000)
    expect(switching.waits).toMatchObject([
      {
        reason: 'switch',
        detail: expect.stringContaining('confirmed for round 1 of the switch, but the switch record is older')
      }
    ])

    publish(SWITCHED)
    await clock.runUntil(2000)
    await routed
    expect(switching.targetOf(worker)).toMatchObject({ container: 'target' })
    expect(switching.waits).toEqual([])
  })

  it('waits for a newer record if the offset was committed after a later decision, even at the offset of an earlier switch', async () => {
    const { switching, worker, stored, clock, publish } = start(SWITCHED)
    const [[name, committed]] = stored('old', 12)
    const decided = { id: 's', round: 2 }
    const metadata = writeMetadata({ plan: 'old', by: 'me', hasLeft: false, decided })
    const routed = switching.route(new Join(clock), [worker], new Map([[name, { ...committed, metadata }]]))
    await clock.runUntil(1000)
    expect(switching.waits).toMatchObject([
      { detail: expect.stringContaining('committed after round 2 of the switch') }
    ])

    publish({ ...SWITCHED, round: 2, to: 'source' })
    await clock.runUntil(2000)
    await routed
    expect(switching.targetOf(worker)).toMatchObject({ container: 'source' })
  })

  it('waits while the record cannot be read', async () => {
    const { switching, worker, stored, clock, break: fail } = start(SWITCHED)
    fail(true)
    const routed = switching.route(new Join(clock), [worker], stored('new', 20))
    await clock.runUntil(60_000)
    expect(switching.waits).toMatchObject([{ reason: 'switch', detail: expect.stringContaining('could not be read') }])

    fail(false)
    await clock.runUntil(61_000)
    await routed
    expect(switching.targetOf(worker)).toMatchObject({ container: 'target' })
  })

  it('takes no more records from a request on, and confirms its offset once its records have their outcomes', async () => {
    const { route, switching, worker, run, publish, answers, commits } = start(undefined)
    await route('old', 12)
    switching.begin()
    worker.claimed()
    worker.take(batchOf([recordAt(12), recordAt(13)], 12))
    publish(REQUESTED)
    await run(700)
    worker.take(batchOf([recordAt(14)], 14))
    expect(worker.drained).toBeUndefined()
    expect(switching.waits).toMatchObject([{ detail: expect.stringContaining('1 partitions are stopped') }])

    for (const answer of answers) answer()
    await run(1000)
    expect(answers).toHaveLength(2)
    expect(worker.records.committable).toBe(14)
    expect(worker.drained).toEqual({ id: 's', round: 1, from: 'old', to: 'new' })
    expect(commits()).toBeGreaterThan(0)
  })

  it('is stopped within 250 ms of a request, and confirmed with the outcome of its last record', async () => {
    const { route, switching, worker, run, publish, answers, commits } = start(undefined)
    await route('old', 12)
    switching.begin()
    worker.claimed()
    worker.take(batchOf([recordAt(12), recordAt(13)], 12))
    publish(REQUESTED)
    await run(250)
    expect(switching.waits).toMatchObject([{ detail: expect.stringContaining('1 partitions are stopped') }])

    answers[0]()
    expect(worker.drained).toBeUndefined()
    answers[1]()
    expect(worker.drained).toMatchObject({ round: 1 })
    expect(commits()).toBe(1)
  })

  it('L5 is not confirmed while a request of it may still be applied', async () => {
    const { route, switching, worker, run, publish, unresolved } = start(undefined)
    unresolved(true)
    await route('old', 12)
    switching.begin()
    publish(REQUESTED)
    await run(2000)
    expect(worker.drained).toBeUndefined()

    unresolved(false)
    await run(3000)
    expect(worker.drained).toMatchObject({ round: 1 })
  })

  it('is confirmed again if a second switch is requested before the first one was over for it', async () => {
    const { route, switching, worker, run, publish } = start(REQUESTED)
    await route('old', 12)
    switching.begin()
    expect(worker.drained).toMatchObject({ round: 1 })

    publish({ ...REQUESTED, round: 2 })
    await run(1000)
    expect(worker.drained).toMatchObject({ round: 2 })
  })

  it('keeps its container when it begins again at another offset', async () => {
    const { route, switching, worker, partitions } = start(SWITCHED)
    await route('new', 20)
    partitions.lose([worker])
    partitions.gain([PARTITION])
    const next = partitions.of(PARTITION)!
    switching.inherit(next, worker)

    expect(switching.targetOf(next)).toMatchObject({ container: 'target' })
  })
})

function start(first: SwitchRecord | undefined): Started {
  const clock = new VirtualClock()
  let record = first
  let isBroken = false
  let isUnresolved = false
  let committed = 0
  const answers: (() => void)[] = []
  const targets = { source: target('source', 'old'), target: target('target', 'new') }
  const partitions: Partitions = createPartitions({
    clock,
    onSettled: () => switching.settled(),
    targetOf: () =>
      ({
        map: () => ({ kind: 'delete', id: 'x', key: 'x' }),
        submit: (_operation: unknown, _fence: unknown, settle: (answer: object) => void) =>
          answers.push(() => settle({ kind: 'written' }))
      }) as never
  })
  const switching = new Switching({
    id: 's',
    records: {
      read: async () => {
        if (isBroken) throw new Error('no answer')
        return record && { record, etag: '1' }
      },
      close: () => undefined
    },
    targetOn: (side) => targets[side],
    clock,
    log: { info: () => undefined },
    workers: () => partitions.workers,
    late: { isUnresolved: () => isUnresolved },
    commit: async () => void committed++,
    retake: async () => undefined,
    fail: (error) => {
      throw error
    }
  })
  partitions.gain([PARTITION])
  const worker = partitions.of(PARTITION)!
  const stored = (plan: string, position: number, round?: number): ReadonlyMap<string, Committed> => {
    const drained = round === undefined ? undefined : { id: 's', round, from: plan, to: 'x' }
    const metadata = writeMetadata({ plan: drained ? drainedPlan(drained) : plan, by: 'me', hasLeft: false, drained })
    return new Map([[partitionName(PARTITION), { ...PARTITION, position: toPosition(position), metadata }]])
  }
  return {
    switching,
    worker,
    partitions,
    clock,
    run: (ms) => clock.runUntil(clock.now() + ms),
    stored,
    answers,
    commits: () => committed,
    publish: (next) => {
      record = next
    },
    break: (broken) => {
      isBroken = broken
    },
    unresolved: (given) => {
      isUnresolved = given
    },
    route: async (plan, position) => {
      worker.beginAt(toPosition(position))
      const routing = switching.route(new Join(clock), [worker], stored(plan, position)).catch((error: unknown) => {
        if (!isKeystampError(error)) throw error
        return error
      })
      await clock.runUntil(clock.now() + 11_000)
      await turn()
      return routing
    }
  }
}

interface Started {
  readonly switching: Switching
  readonly worker: PartitionWorker
  readonly partitions: Partitions
  readonly clock: VirtualClock
  readonly run: (ms: number) => Promise<void>
  readonly stored: (plan: string, position: number, round?: number) => ReadonlyMap<string, Committed>
  readonly answers: (() => void)[]
  readonly commits: () => number
  readonly publish: (record: SwitchRecord) => void
  readonly break: (isBroken: boolean) => void
  readonly unresolved: (isUnresolved: boolean) => void
  readonly route: (plan: string, position: number) => Promise<KeystampError | undefined | void>
}

function target(container: string, fingerprint: string): Target {
  return { container, fingerprint, previousFingerprints: [] } as unknown as Target
}
