import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/read-config.ts'
import { runService, type Service } from '../src/run-service.ts'
import type { SinkDependencies } from '../src/dependencies.ts'
import { VirtualClock } from './simulation/virtual-clock.ts'
import { TopicPattern } from '../src/config/topic-pattern.ts'

const ENDPOINT = 'cosmos: { endpoint: "https://a/", database: d, container: c, key: a2V5 }'

/** Two sinks: the topic of `bad` does not exist. */
async function runTwo(onSinkFailure: string): Promise<Service> {
  const text = `${onSinkFailure}
log: { level: silent }
sinks:
  - { name: bad, kafka: { brokers: ["a:1"], topics: [bad] }, ${ENDPOINT} }
  - { name: good, kafka: { brokers: ["a:1"], topics: [good] }, ${ENDPOINT} }
`
  const settings = await readConfig(
    { text, name: 'sinks.yaml' },
    { env: {}, readFile: () => Promise.reject(new Error('no file')) }
  )
  const machine: Partial<SinkDependencies> = {
    clock: new VirtualClock(),
    createDeadLetterWriter: () => undefined,
    createConsumer: () => ({
      start: () => Promise.resolve(),
      pause: () => undefined,
      resume: () => undefined,
      deliverFrom: () => undefined,
      resumeDelayMs: 0,
      sessionTimeoutMs: 1000,
      lastHeartbeatMs: 0,
      commit: (commits) => Promise.resolve(commits),
      committed: () => Promise.resolve([]),
      countPartitions: () => Promise.resolve(1),
      ends: () => Promise.resolve(new Map()),
      stop: () => Promise.resolve()
    }),
    openTarget: () => Promise.reject(new Error('not reached'))
  }
  let isFirst = true
  return runService(
    {
      ...settings,
      sinks: settings.sinks.map((sink) => ({ ...sink, kafka: { ...sink.kafka, topics: new TopicPattern('nothing') } }))
    },
    {
      ...machine,
      createConsumer: () => {
        const consumer = machine.createConsumer!()
        if (!isFirst) return consumer
        isFirst = false
        return { ...consumer, start: () => Promise.reject(new Error('There is no topic "bad".')) }
      }
    }
  )
}

describe('a process with several sinks', () => {
  it('keeps its healthy sinks running when one of them fails', async () => {
    const service = await runTwo('')
    const [bad, good] = service.sinks

    await service.started
    const end = await bad.ended

    expect(end).toMatchObject({ state: 'failed', error: { message: 'There is no topic "bad".' } })
    expect(good.state).toBe('running')
    await service.stop()
    expect((await service.ended).map(({ state }) => state)).toEqual(['failed', 'stopped'])
  })

  it('drains the healthy sinks under `onSinkFailure: exit` when one of them fails', async () => {
    const service = await runTwo('onSinkFailure: exit')

    expect((await service.ended).map(({ state }) => state)).toEqual(['failed', 'stopped'])
  })
})
