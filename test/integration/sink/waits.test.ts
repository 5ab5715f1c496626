import type { Log } from '@keystamp/connector'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] }

describe.skipIf(isMissing)(`a sink that waits${why}`, () => {
  it('logs nothing in a normal run, and one warning and its end while Cosmos DB is unreachable', { timeout: 60_000 }, async () => {
    const { kafka, topic, emulator, createSink, committed } = await startWorld({ brokers })
    const { log, lines } = keepLog()
    const sink = await createSink({ plan: PLAN }, { log })
    await sink.start()
    await kafka.produce(topic, records(0, 200))
    await committed(200)
    expect(lines.filter((line) => line.startsWith('warn'))).toEqual([])

    const fault = emulator.faults.inject({ on: 'write', action: { kind: 'reset' } })
    await kafka.produce(topic, records(200, 400))
    await expect.poll(() => lines.filter((line) => line.includes('wait started')), { timeout: 20_000 }).toHaveLength(1)
    expect(lines.find((line) => line.includes('wait started'))).toMatch(
      /^warn wait started: Cosmos DB: container "things", physical partition [0-3, ]+: the last answer was /
    )
    expect(sink.stats().waits).toMatchObject([{ reason: 'cosmos' }])

    emulator.faults.clear(fault)
    await committed(400)
    await expect.poll(() => lines.filter((line) => line.includes('wait ended')), { timeout: 20_000 }).toHaveLength(1)

    expect(sink.stats().waits).toEqual([])
  })

  it('waits no longer for a physical partition that was split', { timeout: 60_000 }, async () => {
    const { kafka, topic, emulator, createSink, committed } = await startWorld({ brokers })
    const sink = await createSink({ plan: PLAN })
    await sink.start()
    await kafka.produce(topic, records(0, 200))
    await committed(200)

    await emulator.split('db', 'things', '0')
    await kafka.produce(topic, records(200, 400))
    await committed(400)
    // the split was noticed by an answer that named the range that is gone
    expect(sink.stats().containers[0].retries).toHaveProperty('410')

    expect(sink.stats().waits).toEqual([])
  })
})

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
