import { type RedisHandle, startRedis } from '@keystamp/testkit'
import type avro from 'avsc'
import type { CosmosClient } from '@azure/cosmos'
import type kafkajs from 'kafkajs'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { randomUUID } from 'node:crypto'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

/** Number of calls of each library, and the library that fails as if it were missing. */
const work = vi.hoisted(() => ({ calls: new Map<string, number>(), missing: '' }))

const watched = vi.hoisted(() => {
  // a limiter that is created without an error, and grants nothing
  const idle = { schedule: () => new Promise(() => {}), on: () => {}, disconnect: async () => {} }

  /** Wraps a part of a library: counts its calls, and throws if the library is to be missing. */
  return function watch<Thing extends object>(library: string, thing: Thing): Thing {
    const used = (): void => {
      if (work.missing === library) throw new Error(`${library} is missing.`)
      work.calls.set(library, (work.calls.get(library) ?? 0) + 1)
    }
    return new Proxy(thing, {
      construct: (target, parameters) => {
        if (work.missing === 'bottleneck' && library === 'bottleneck') return idle
        used()
        return Reflect.construct(target as unknown as new () => object, parameters)
      },
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver)
        return name === 'forSchema'
          ? (...parameters: unknown[]) => (used(), (member as (...all: unknown[]) => unknown).apply(target, parameters))
          : member
      }
    })
  }
})

vi.mock('kafkajs', async (original) => {
  const module = await original<typeof kafkajs>()
  return { ...module, default: module, Kafka: watched('kafkajs', module.Kafka) }
})
vi.mock('@azure/cosmos', async (original) => {
  const module = await original<{ readonly CosmosClient: typeof CosmosClient }>()
  return { ...module, CosmosClient: watched('@azure/cosmos', module.CosmosClient) }
})
vi.mock('bottleneck', async (original) => {
  const { default: Bottleneck } = await original<{ readonly default: new () => object }>()
  return { default: watched('bottleneck', Bottleneck) }
})
vi.mock('avsc', async (original) => {
  const { default: module } = await original<{ readonly default: typeof avro }>()
  return { default: { ...module, Type: watched('avsc', module.Type) } }
})

const { isMissing, why, brokers } = await sharedKafka()
const LIBRARIES = ['@azure/cosmos', 'avsc', 'bottleneck', 'kafkajs']

const SCHEMA = { type: 'record', name: 'Thing', fields: [{ name: 'id', type: 'string' }] }
const CONFIG = {
  shutdownTimeout: '1s',
  value: { format: 'avro', schema: SCHEMA },
  plan: { into: '/partitionKey', from: [{ field: '/id' }] }
}
// a string in Avro: its length in zigzag encoding, and its bytes
const RECORD = { key: 'k', value: Buffer.from('\u0002a') }

const redis = await startRedis()
const hasNoRedis = 'missing' in redis

describe.skipIf(isMissing || hasNoRedis)(
  `a sink between Kafka and Cosmos DB${hasNoRedis ? ` (skipped: ${redis.missing})` : why}`,
  () => {
    // a shared budget, since the budget of a single process does not use bottleneck
    const config = { ...CONFIG, cosmos: { sharedThrough: { redis: (redis as RedisHandle).url, name: randomUUID() } } }

    afterEach(() => {
      work.missing = ''
      work.calls.clear()
    })

    afterAll(async () => (redis as RedisHandle).stop())

    it('uses every library on the path of a record', async () => {
      const world = await startWorld({ brokers, partitions: 1 })
      work.calls.clear()

      expect(await world.play(config, [RECORD])).toEqual([{ id: 'a', partitionKey: 'a' }])

      expect([...work.calls.keys()].toSorted()).toEqual(LIBRARIES)
    })

    it.each(LIBRARIES)('stores no record without %s', async (library) => {
      const world = await startWorld({ brokers, partitions: 1 })
      await world.kafka.produce(world.topic, [RECORD])
      work.missing = library

      const started = world.createSink(config).then(async (sink) => {
        await sink.start()
        return sink.ended
      })
      await Promise.race([started.catch(() => {}), new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS))])

      expect(await world.documents()).toEqual([])
    })
  }
)

const LONG_ENOUGH_MS = 4000
