import type { Sink } from '@keystamp/connector'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const PLAN = { into: '/byDrive', from: [{ field: '/drive' }] }
const CONFIG = { id: { strategy: 'metadata' }, move: { name: 'by-drive', to: { container: 'others', plan: PLAN } } }

describe.skipIf(isMissing)(`keystamp rekey with --sink${why}`, () => {
  it(
    'moves a container and the sinks that write to it there and back, while records are produced: none is lost, stored twice or refused',
    { timeout: 180_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 4, keyPaths: ['/device'] })
      await world.addContainer('others', { keyPaths: ['/byDrive'] })
      const sinks = [await world.createSink(CONFIG), await world.createSink(CONFIG)]
      await Promise.all(sinks.map((sink) => sink.start()))
      const producer = produce(world)
      await world.committed(300)
      const move = await startMove(world)
      await expect.poll(move.phase, { timeout: 30_000 }).toBe('follow')

      const there = watchPause(sinks)
      expect(await move.step('switch')).toMatchObject({ code: 0, output: expect.stringContaining('others at') })
      await sleep(2000)
      const thereMs = there.stop()
      expect((await world.documents('others')).length).toBeGreaterThan((await world.documents()).length - 1)
      const back = watchPause(sinks)
      expect(await move.step('back')).toMatchObject({ code: 0, output: expect.stringContaining('things at') })
      await sleep(1000)
      const backMs = back.stop()
      const produced = await producer.stop()
      await world.committed(produced)

      const stored = await world.documents()
      expect(new Set(stored.map(({ id }) => id)).size).toBe(produced)
      expect(stored).toHaveLength(produced)
      await expect.poll(async () => (await world.documents('others')).length, { timeout: 20_000 }).toBe(produced)
      expect(sinks.reduce((total, sink) => total + sink.stats().written, 0)).toBe(produced)
      expect(sinks.map((sink) => sink.stats().rejected)).toEqual([{}, {}])
      expect(await move.step('abort')).toMatchObject({ code: 0 })
      const seconds = [thereMs, backMs].map((ms) => (ms / 1000).toFixed(1))
      console.log(`no write for ${seconds[0]} s on the way there, ${seconds[1]} s on the way back; ${produced} records`)
    }
  )
})

interface StartedMove {
  readonly phase: () => Promise<string | undefined>
  /** Asks for a step; again while its conditions are not met. */
  readonly step: (name: string) => Promise<Ended>
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** Starts `keystamp rekey` as a process, which is stopped when the test ends. */
async function startMove({ emulator, topic, group }: World): Promise<StartedMove> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const journal = join(folder, 'journal')
  const { endpoint, key } = emulator
  await writeFile(join(folder, 'plan.json'), JSON.stringify(PLAN))
  const cosmos = { endpoint, key, database: 'db', container: 'things' }
  const sink = { name: 'things', kafka: { brokers: brokers.split(','), topics: [topic], group }, cosmos, ...CONFIG }
  await writeFile(join(folder, 'sink.yaml'), stringify(sink))
  const start = [
    ...['--from', `${endpoint}db/things`, '--to', `${endpoint}db/others`, '--plan', join(folder, 'plan.json')],
    ...['--sink', join(folder, 'sink.yaml'), '--share-from', '100%', '--share-to', '100%', '--yes']
  ]
  const ending = new AbortController()
  const running = keystamp(['rekey', '--journal', journal, ...start], key, ending.signal)
  onTestFinished(async () => {
    ending.abort()
    await running
    await rm(folder, { recursive: true, force: true })
  })
  return {
    phase: async () => {
      const text = await readFile(join(journal, 'status.json'), 'utf8').catch(() => '{}')
      return (JSON.parse(text) as { readonly phase?: string }).phase
    },
    step: async (name) => {
      for (let attempt = 0; ; attempt++) {
        const ended = await keystamp(['rekey', name, '--journal', journal], key, ending.signal)
        if (ended.code !== 4 || attempt === 20) return ended
        await sleep(500)
      }
    }
  }
}

async function keystamp(args: readonly string[], key: string, signal: AbortSignal): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, COSMOS_KEY: key } })
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Produces ten records every 20 ms until it is stopped. */
function produce({ kafka, topic }: World): { readonly stop: () => Promise<number> } {
  const production = { isOn: true }
  let count = 0
  const running = (async (): Promise<void> => {
    while (production.isOn) {
      const records = Array.from({ length: 10 }, () => {
        const drive = `drive-${count++}`
        return { key: drive, value: JSON.stringify({ drive, device: `device-${count % 7}` }) }
      })
      await kafka.produce(topic, records)
      await sleep(20)
    }
  })()
  return {
    stop: async () => {
      production.isOn = false
      await running
      return count
    }
  }
}

/** Measures the longest time in which the sinks wrote nothing. */
function watchPause(sinks: readonly Sink[]): { readonly stop: () => number } {
  let last = 0
  let lastMs = performance.now()
  let longestMs = 0
  const timer = setInterval(() => {
    const written = sinks.reduce((total, sink) => total + sink.stats().written, 0)
    if (written === last) return
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    last = written
    lastMs = performance.now()
  }, 5)
  return {
    stop: () => {
      clearInterval(timer)
      return longestMs
    }
  }
}
