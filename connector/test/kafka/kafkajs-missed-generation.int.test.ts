import { type Position, toPosition } from '@keystamp/core'
import { connectKafka, type KafkaClient } from '@keystamp/testkit'
import { randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import { assembleSink } from '../../src/sink.ts'
import type { SinkSettings } from '../../src/config/settings.ts'
import { type Consumer, partitionName, type SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import type { Sink } from '../../src/sink.ts'
import type { Target } from '../../src/write/target.ts'
import { deferred } from '../simulation/deferred.ts'
import { SIMULATED_SETTINGS } from '../simulation/run-simulation.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { QUIET } from './quiet-log.ts'
import { script } from './scripted-requests.ts'

const { isMissing, why, brokers } = await sharedKafka()
const WAIT = { timeout: 20_000, interval: 20 }
const PARTITIONS = [0, 1, 2, 3, 4, 5]

describe.skipIf(isMissing)(`a sink that is suspended between JoinGroup and SyncGroup${why}`, () => {
  let kafka: KafkaClient

  beforeAll(async () => {
    kafka = await connectKafka(brokers)
  })

  afterAll(() => kafka?.close())

  it.each([
    ['counts its JoinGroup requests', false],
    ['can detect only by the stored offsets that its partitions had another owner', true]
  ])(
    'L5 writes no record that another sink has committed meanwhile, if the sink %s',
    async (_how, isUncounted) => {
      const world = await openWorld(kafka, isUncounted)
      const { produce, start, committed, late } = world
      const first = await start()
      const second = await start()
      await expect.poll(() => [first.owned().length, second.owned().length], WAIT).toEqual([3, 3])
      await produce(1)
      await expect.poll(committed, WAIT).toEqual(PARTITIONS.map(() => 1))
      const before = second.owned()

      // the records of the second member wait in its queue while the group continues without it
      second.holdWrites()
      await produce(2)
      await expect.poll(() => second.queued(), WAIT).toBe(3)
      const release = second.holdNextSync()
      const third = await start()
      const moved = before.filter((partition) => first.owned().includes(partition) || third.owned().includes(partition))
      await produce(3)
      await expect.poll(() => moved.map((partition) => committed()[partition]), WAIT).toEqual(moved.map(() => 3))
      await third.sink.stop()
      release()
      await expect.poll(() => second.owned().length, WAIT).toBe(3)
      second.releaseWrites()
      await produce(4)

      await expect.poll(committed, WAIT).toEqual(PARTITIONS.map(() => 4))
      expect(moved.length).toBeGreaterThan(0)
      expect(late).toEqual([])
    },
    60_000
  )
})

interface Started {
  readonly sink: Sink
  readonly owned: () => readonly number[]
  readonly queued: () => number
  readonly holdWrites: () => void
  readonly releaseWrites: () => void
  /** Holds the next SyncGroup request of this member. The returned function sends it. */
  readonly holdNextSync: () => () => void
}

interface World {
  /** One record for each partition. */
  readonly produce: (round: number) => Promise<void>
  readonly start: () => Promise<Started>
  /** Committed offset of each partition. */
  readonly committed: () => readonly number[]
  /** Writes of records that were committed already. */
  readonly late: readonly string[]
}

async function openWorld(kafka: KafkaClient, isUncounted: boolean): Promise<World> {
  const topic = `missed-${randomUUID().slice(0, 8)}`
  const group = `group-of-${topic}`
  await kafka.createTopic(topic, { partitions: PARTITIONS.length })
  const stored = new Map<string, Position>()
  const late: string[] = []
  const memberIds: string[] = []
  const sinks: Sink[] = []
  const restore = script('syncGroup', (original, { memberId }) => {
    if (!memberIds.includes(memberId)) memberIds.push(memberId)
    const held = holds.get(memberId)
    holds.delete(memberId)
    return held === undefined ? original() : held.then(original)
  })
  const holds = new Map<string, Promise<void>>()

  async function start(): Promise<Started> {
    const settings = kafkaSettings(brokers, group, [topic], { sessionTimeoutMs: 20_000, handoverMs: 100 })
    const inner = createKafkajsConsumer({ settings, clock: MACHINE_CLOCK, log: QUIET })
    const state = { owned: [] as number[], isHeld: false, queued: 0 }
    const sink = assembleSink({ ...SIMULATED_SETTINGS, kafka: settings } as unknown as SinkSettings, {
      clock: MACHINE_CLOCK,
      log: QUIET,
      createConsumer: () => watched(inner, state),
      createDecoder: () => ({
        decode: ({ value, key }) => ({ ok: true, json: value ?? undefined, key }),
        waitingFor: undefined,
        close: () => {}
      }),
      createDeadLetterWriter: () => undefined,
      createTolerance: () => undefined,
      openTarget: (_container, maySend) => Promise.resolve(createTarget(state, maySend))
    })
    sinks.push(sink)
    const known = memberIds.length
    await sink.start()
    const memberId = memberIds[known]
    return {
      sink,
      owned: () => state.owned,
      queued: () => state.queued,
      holdWrites: () => void (state.isHeld = true),
      releaseWrites: () => void (state.isHeld = false),
      holdNextSync: () => {
        const { promise, resolve } = deferred()
        holds.set(memberId, promise)
        return resolve
      }
    }
  }

  function watched(inner: Consumer, state: { owned: number[] }): Consumer {
    return {
      ...bound(inner),
      get lastHeartbeatMs() {
        return inner.lastHeartbeatMs
      },
      start: (listener) =>
        inner.start({
          ...listener,
          assigned: (partitions) => {
            // simulates a consumer that does not count JoinGroup requests
            if (isUncounted && partitions.length === 0) return
            state.owned = partitions.map(({ partition }) => partition)
            listener.assigned(partitions)
          }
        }),
      commit: async (commits) => {
        const done = await inner.commit(commits)
        for (const commit of done) stored.set(partitionName(commit), commit.position)
        return done
      },
      stop: () => inner.stop()
    }
  }

  function createTarget(state: { isHeld: boolean; queued: number }, maySend: () => boolean): Target {
    const target: Partial<Target> = {
      container: 'things',
      fingerprint: 'plan-1',
      previousFingerprints: [],
      warnings: [],
      map: (record) => ({ kind: 'upsert', record: { record } }),
      submit: (operation, fence, settle) => void write(operation, fence, settle),
      usePart: () => undefined,
      waits: [],
      stats: () => ({}) as never,
      close: () => Promise.resolve()
    }
    const write = async (...[operation, fence, settle]: Parameters<Target['submit']>): Promise<void> => {
      const { record } = (operation as { readonly record: { readonly record: SinkRecord } }).record
      state.queued++
      while (!fence.isLost && (state.isHeld || !maySend())) await pass(1)
      state.queued--
      if (fence.isLost) return settle(new Error('fenced'))
      if (record.offset < (stored.get(partitionName(record)) ?? 0))
        late.push(`${partitionName(record)} at ${record.offset}`)
      settle({ kind: 'written', status: 200, chargeRu: 1, etag: undefined, isSuperseded: false })
    }
    return target as Target
  }

  onTestFinished(async () => {
    restore()
    await Promise.all(sinks.map((sink) => sink.stop()))
  })
  return {
    produce: (round) =>
      kafka.produce(
        topic,
        PARTITIONS.map((partition) => ({ partition, key: `key-${partition}`, value: String(round) }))
      ),
    start,
    committed: () => PARTITIONS.map((partition) => stored.get(partitionName({ topic, partition })) ?? toPosition(0)),
    late
  }
}

/** Methods of a consumer as own properties, since some of them are on its prototype. */
function bound(inner: Consumer): Omit<Consumer, 'commit' | 'lastHeartbeatMs' | 'start' | 'stop'> {
  return {
    pause: (topicPartitions) => inner.pause(topicPartitions),
    resume: (topicPartitions) => inner.resume(topicPartitions),
    deliverFrom: (topicPartition, position) => inner.deliverFrom(topicPartition, position),
    resumeDelayMs: inner.resumeDelayMs,
    sessionTimeoutMs: inner.sessionTimeoutMs,
    committed: (topicPartitions) => inner.committed(topicPartitions),
    countPartitions: () => inner.countPartitions(),
    ends: (topicPartitions) => inner.ends(topicPartitions)
  }
}
