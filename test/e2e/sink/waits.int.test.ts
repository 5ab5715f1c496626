import type { Log } from '@keystamp/connector'
import { startRedis } from '@keystamp/testkit'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] }

describe.skipIf(isMissing)(`a sink that waits${why}`, () => {
  it(
    'logs no warning in a normal run, and the start and the end of the wait when Cosmos DB is unreachable',
    { timeout: 60_000 },
    async () => {
      const { kafka, topic, emulator, createSink, committed } = await startWorld({ brokers })
      const { log, lines } = keepLog()
      const sink = await createSink({ plan: PLAN }, { log })
      await sink.start()
      await kafka.produce(topic, records(0, 200))
      await committed(200)
      expect(lines.filter((line) => line.startsWith('warn'))).toEqual([])

      const fault = emulator.faults.inject({ on: 'write', action: { kind: 'reset' } })
      await kafka.produce(topic, records(200, 400))
      await expect
        .poll(() => lines.filter((line) => line.includes('wait started')), { timeout: 20_000 })
        .toHaveLength(1)
      expect(lines.find((line) => line.includes('wait started'))).toMatch(
        /^warn wait started: Cosmos DB: container "things", physical partition [0-3, ]+: the last answer was /
      )
      expect(sink.stats().waits).toMatchObject([{ reason: 'cosmos' }])

      emulator.faults.clear(fault)
      await committed(400)
      await expect.poll(() => lines.filter((line) => line.includes('wait ended')), { timeout: 20_000 }).toHaveLength(1)

      expect(sink.stats().waits).toEqual([])
    }
  )

  it(
    'reports a wait for Cosmos DB even if requests are answered, but each of their operations fails',
    { timeout: 60_000 },
    async () => {
      const { kafka, topic, emulator, createSink, committed } = await startWorld({ brokers })
      const sink = await createSink({ plan: PLAN })
      await sink.start()
      const fault = emulator.faults.inject({ on: 'bulkOperation', action: { kind: 'status', status: 503 } })
      await kafka.produce(topic, records(0, 50))
      await expect
        .poll(() => sink.stats().waits, { timeout: 20_000 })
        .toMatchObject([{ reason: 'cosmos', detail: expect.stringContaining('503') }])

      emulator.faults.clear(fault)
      await committed(50)

      expect(sink.stats().waits).toEqual([])
    }
  )

  it('does not wait for a physical partition that was split', { timeout: 60_000 }, async () => {
    const { kafka, topic, emulator, createSink, committed } = await startWorld({ brokers })
    const sink = await createSink({ plan: PLAN })
    await sink.start()
    await kafka.produce(topic, records(0, 200))
    await committed(200)

    await emulator.split('db', 'things', '0')
    await kafka.produce(topic, records(200, 400))
    await committed(400)
    // the writer noticed the split by a 410
    expect(sink.stats().containers[0].retries).toHaveProperty('410')

    expect(sink.stats().waits).toEqual([])
  })
})

const redis = await startRedis()
afterAll(async () => {
  if ('url' in redis) await redis.stop()
})

describe.skipIf(isMissing || 'missing' in redis)(`a sink whose Redis does not answer yet${why}`, () => {
  it('waits for Redis, and names the option in its log', { timeout: 60_000 }, async () => {
    const { kafka, topic, createSink, committed } = await startWorld({ brokers })
    const { log, lines } = keepLog()
    const proxy = await openProxy(Number(new URL((redis as { url: string }).url).port))
    await kafka.produce(topic, records(0, 100))

    const sink = await createSink(
      { plan: PLAN, cosmos: { sharedThrough: { redis: `redis://127.0.0.1:${proxy.port}` } } },
      { log }
    )
    const started = sink.start()
    await expect.poll(() => lines.filter((line) => line.includes('wait started')), { timeout: 20_000 }).toHaveLength(1)
    expect(lines.find((line) => line.includes('wait started'))).toMatch(
      /^warn wait started: Redis: container "things" is not open yet: Redis at 127.0.0.1:\d+ does not answer \(ECONNREFUSED\).*`sharedThrough`/
    )
    expect(sink.state).toBe('starting')

    await proxy.open()
    await started
    await committed(100)

    await proxy.close()
    await kafka.produce(topic, records(100, 200))
    await expect.poll(() => sink.stats().waits, { timeout: 20_000 }).toMatchObject([{ reason: 'redis' }])

    await proxy.open()
    await committed(200)
    expect(sink.stats().waits).toEqual([])
  })

  it('fails with CONFIG_INVALID at a malformed address of Redis', async () => {
    const { createSink } = await startWorld({ brokers })

    await expect(
      createSink({ plan: PLAN, cosmos: { sharedThrough: { redis: 'redis://127.0.0.1:port' } } })
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID'
    })
  })
})

/** A TCP proxy to a port, which is closed at first. */
async function openProxy(
  to: number
): Promise<{ readonly port: number; readonly open: () => Promise<void>; readonly close: () => Promise<void> }> {
  const reserved = createServer().listen(0, '127.0.0.1')
  await once(reserved, 'listening')
  const { port } = reserved.address() as AddressInfo
  reserved.close()
  await once(reserved, 'close')
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port,
    open: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      await once(server, 'close')
    }
  }
}

function records(from: number, to: number): { readonly key: string; readonly value: string }[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = `d${from + index}`
    return { key: id, value: JSON.stringify({ id, deviceId: id }) }
  })
}

function keepLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const write =
    (level: string) =>
    (_facts: object, sentence: string): void =>
      void lines.push(`${level} ${sentence}`)
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, lines }
}
