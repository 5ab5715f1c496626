import { openSinkSwitch, type SwitchStep } from '@keystamp/connector'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'
import { longestPauseMs, produce, sum } from './switched-sinks.ts'

const { isMissing, why, brokers } = await sharedKafka()

const BEFORE = { id: { strategy: 'metadata' }, plan: { into: '/partitionKey', from: [{ kafka: 'topic' }] } }
const AFTER = {
  move: { name: 'by-n', to: { container: 'others', plan: { into: '/partitionKey', from: [{ field: '/n' }] } } }
}
const CONFIG = { ...BEFORE, ...AFTER }

describe.skipIf(isMissing)(`a group of sinks that is switched to another container${why}`, () => {
  it(
    'L1 L3 goes on at exactly one offset of each partition while records are produced: none is lost, written twice or refused',
    { timeout: 120_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 4 })
      await world.addContainer('others', { keyPaths: ['/partitionKey'] })
      const sinks = [await world.createSink(CONFIG), await world.createSink(CONFIG)]
      await Promise.all(sinks.map((sink) => sink.start()))
      const producer = produce(world, recordOf)
      await world.committed(300)
      const switchedMs = Date.now()
      const mover = await openSinkSwitch(await world.settingsOf(CONFIG), { onStep: () => undefined })

      done(await mover.steps.request('target'))
      const source = await world.documents()
      done(await mover.steps.complete('target'))
      await sleep(1500)
      const produced = await producer.stop()
      await world.committed(produced)
      const longestMs = longestPauseMs(world.emulator, switchedMs)

      // a move copies the documents from before the switch; it is not part of this test
      const target = await world.documents('others')
      expect(await world.documents()).toEqual(source)
      const ids = [...source, ...target].map(({ id }) => id)
      expect(ids).toHaveLength(produced)
      expect(new Set(ids).size).toBe(produced)
      expect(target.length).toBeGreaterThan(0)
      expect(target.every(({ partitionKey, n }) => partitionKey === n)).toBe(true)
      expect(sum(sinks, ({ written }) => written)).toBe(produced)
      expect(sum(sinks, ({ rejected }) => Object.keys(rejected).length)).toBe(0)
      console.log(`no write of a partition for ${Math.round(longestMs)} ms, ${produced} records`)
      await mover.close()
    }
  )

  it(
    'goes on in the container before when the switch is called off, since a sink without `move` does not confirm',
    { timeout: 120_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 4 })
      await world.addContainer('others', { keyPaths: ['/partitionKey'] })
      const old = await world.createSink({ ...BEFORE, kafka: { clientId: 'old-one' } })
      const sinks = [await world.createSink(CONFIG), old]
      await Promise.all(sinks.map((sink) => sink.start()))
      const producer = produce(world, recordOf)
      await world.committed(200)
      const mover = await openSinkSwitch(await world.settingsOf(CONFIG), { confirmMs: 3000, onStep: () => undefined })

      expect(await mover.steps.request('target')).toEqual({
        isDone: false,
        reason: expect.stringMatching(/^Not every partition was confirmed within 3 s\. 2 of 4 .*member old-one at/)
      })
      done(await mover.steps.cancel('target'))
      await sleep(1000)
      const produced = await producer.stop()
      await world.committed(produced)

      expect(await world.documents('others')).toEqual([])
      expect(await world.documents()).toHaveLength(produced)
      await mover.close()
    }
  )

  it(
    'L3 leaves nothing to a sink without `move` that starts after the switch, and goes on when it has started again itself',
    { timeout: 120_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 2 })
      await world.addContainer('others', { keyPaths: ['/partitionKey'] })
      const first = await world.createSink(CONFIG)
      await first.start()
      await world.kafka.produce(world.topic, records(0, 50))
      await world.committed(50)
      const mover = await openSinkSwitch(await world.settingsOf(CONFIG), { onStep: () => undefined })
      done(await mover.steps.request('target'))
      await first.stop()

      const old = await world.createSink(BEFORE)
      await old.start()
      expect(await old.ended).toMatchObject({ state: 'failed', error: { code: 'PLAN_CHANGED' } })

      done(await mover.steps.complete('target').then((step) => (step.isDone ? step : completeLater())))
      const again = await world.createSink(CONFIG)
      await again.start()
      await world.kafka.produce(world.topic, records(50, 100))
      await committedOf(world, 100)
      await again.stop()
      expect(await world.documents()).toHaveLength(50)
      expect(await world.documents('others')).toHaveLength(50)
      await mover.close()

      async function completeLater(): Promise<SwitchStep> {
        // no member runs: the next one confirms
        const next = await world.createSink(CONFIG)
        await next.start()
        await sleep(3000)
        const step = await mover.steps.complete('target')
        await next.stop()
        return step
      }
    }
  )
})

function done(step: SwitchStep): void {
  expect(step).toEqual({ isDone: true })
}

function records(from: number, to: number): { readonly key: string; readonly value: string }[] {
  return Array.from({ length: to - from }, (_, index) => recordOf(from + index))
}

function recordOf(number: number): { readonly key: string; readonly value: string } {
  return { key: `k${number % 10}`, value: JSON.stringify({ n: `n${number}` }) }
}

/** Resolves when the group has committed as many records; failed sinks do not count. */
async function committedOf({ kafka, group, topic }: World, count: number): Promise<void> {
  for (;;) {
    const offsets = await kafka.committed(group, [topic])
    if (offsets.reduce((total, { offset = '0' }) => total + Number(offset), 0) >= count) return
    await sleep(50)
  }
}
