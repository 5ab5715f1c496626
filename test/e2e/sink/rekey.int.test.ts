import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startRekey } from './rekey-process.ts'
import { startWorld } from './start-world.ts'
import { containersInOrder, longestPauseMs, missingIn, produce, sum } from './switched-sinks.ts'

const { isMissing, why, brokers } = await sharedKafka()
const PLAN = { into: '/byDrive', from: [{ field: '/drive' }] }
const CONFIG = { id: { strategy: 'metadata' }, move: { name: 'by-drive', to: { container: 'others', plan: PLAN } } }

describe.skipIf(isMissing)(`keystamp rekey switch with --sink${why}`, () => {
  it(
    'moves a container and the sinks that write to it there and back, while records are produced: none is lost, stored twice or refused',
    { timeout: 180_000 },
    async () => {
      const emulatorOptions = { operationLog: 1_000_000 }
      const world = await startWorld({ brokers, partitions: 4, keyPaths: ['/device'], emulator: emulatorOptions })
      const { emulator } = world
      await world.addContainer('others', { keyPaths: ['/byDrive'] })
      const sinks = [await world.createSink(CONFIG), await world.createSink(CONFIG)]
      await Promise.all(sinks.map((sink) => sink.start()))
      const producer = produce(world, recordOf)
      await world.committed(300)
      const move = await startRekey(world, { brokers, config: CONFIG, plan: PLAN })
      await expect.poll(async () => (await move.status()).phase, { timeout: 30_000 }).toBe('follow')

      const thereMs = Date.now()
      expect(await move.step('switch', '--sink', move.sinkFile)).toMatchObject({
        code: 0,
        output: expect.stringContaining('others at')
      })
      await sleep(2000)
      const thereSeconds = longestPauseMs(emulator, thereMs) / 1000
      expect(await missingIn('others', world)).toEqual([])
      const backMs = Date.now()
      // the sinks are known from the switch
      expect(await move.step('back')).toMatchObject({ code: 0, output: expect.stringContaining('things at') })
      await sleep(1000)
      const backSeconds = longestPauseMs(emulator, backMs) / 1000
      const produced = await producer.stop()
      await world.committed(produced)

      const stored = await world.documents()
      expect(new Set(stored.map(({ id }) => id)).size).toBe(produced)
      expect(stored).toHaveLength(produced)
      await expect.poll(async () => (await world.documents('others')).length, { timeout: 20_000 }).toBe(produced)
      expect(sum(sinks, ({ written }) => written)).toBe(produced)
      expect(containersInOrder(emulator)).toEqual(['things', 'others', 'things'])
      expect(sinks.map((sink) => sink.stats().rejected)).toEqual([{}, {}])
      expect(await move.step('abort')).toMatchObject({ code: 0 })
      console.log(
        `no write of a partition for ${thereSeconds.toFixed(1)} s on the way there, ${backSeconds.toFixed(1)} s on the way back; ${produced} records`
      )
    }
  )
})

function recordOf(number: number): { readonly key: string; readonly value: string } {
  const drive = `drive-${number}`
  return { key: drive, value: JSON.stringify({ drive, device: `device-${number % 7}` }) }
}
