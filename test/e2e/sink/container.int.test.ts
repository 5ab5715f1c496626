import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }] }

describe.skipIf(isMissing)(`a sink whose container is deleted and created again${why}`, () => {
  // checks L1
  it('fails at the first write to the new container, and commits no record of it', { timeout: 60_000 }, async () => {
    const { kafka, topic, group, emulator, createSink, committed, addContainer } = await startWorld({
      brokers,
      partitions: 1
    })
    const sink = await createSink({ plan: PLAN })
    await sink.start()
    await kafka.produce(topic, records(0, 100))
    await committed(100)

    const answer = await fetch(`${emulator.endpoint}dbs/db/colls/things`, { method: 'DELETE' })
    expect(answer.ok).toBe(true)
    await addContainer('things', { keyPaths: ['/partitionKey'] })
    await kafka.produce(topic, records(100, 5000))

    expect(await sink.ended).toMatchObject({
      state: 'failed',
      error: {
        code: 'CONTAINER_RECREATED',
        message: expect.stringContaining('container "db/things" was deleted and created again')
      }
    })
    expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: '100' }])
  })
})

function records(from: number, to: number): { readonly key: string; readonly value: string }[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = `d${from + index}`
    return { key: id, value: JSON.stringify({ id, deviceId: id }) }
  })
}
