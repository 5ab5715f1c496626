import { createRandom, type Random } from '@keystamp/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import type { StoredDocument } from './documents.ts'
import { type RekeyProcess, startRekey } from './rekey-process.ts'
import { type SinkMember, startSinkMember } from './sink-processes.ts'
import { startWorld, type World } from './start-world.ts'
import { containersInOrder, missingIn, produce } from './switched-sinks.ts'

const { isMissing, why, brokers } = await sharedKafka()
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 2)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)
const PLAN = { into: '/byDrive', from: [{ field: '/drive' }] }
const BEFORE = { id: { strategy: 'metadata' } }
const CONFIG = { ...BEFORE, move: { name: 'by-drive', to: { container: 'others', plan: PLAN } } }
const WORLD = { brokers, partitions: 4, keyPaths: ['/device'], emulator: { operationLog: 1_000_000 } }
const SESSION_MS = 6000
/** Steps of a switch, as `keystamp rekey` prints them. */
const STEPS = [
  'running the hook `before`',
  'copying the last changes',
  'comparing the containers',
  'stopping the copy',
  'running the hook `after`'
]

describe.skipIf(isMissing)(`a switch of sinks whose processes are killed${why}`, () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    it(
      `L1 L3 loses no record and stores none twice when a process is killed or suspended during each switch (seed ${seed})`,
      { timeout: 400_000 },
      async () => {
        const random = createRandom(seed)
        const world = await startWorld(WORLD)
        await world.addContainer('others', { keyPaths: ['/byDrive'] })
        const sinks = await Promise.all(['one', 'two'].map((name) => startMember(world, name, CONFIG)))
        const producer = produce(world, recordOf, 100)
        await world.committed(200)
        const move = await startRekey(world, { brokers, config: CONFIG, plan: PLAN })

        const there = await turnWithHit('switch', { move, sinks, random })
        const old = await startMember(world, 'old', BEFORE)
        expect(await old.ended).toBe(2)
        expect(old.output()).toContain('PLAN_CHANGED')
        expect(await missingIn('others', world)).toEqual([])
        const back = await turnWithHit('back', { move, sinks, random })
        const produced = await producer.stop()
        await world.committed(produced)

        console.log(`seed ${seed}: ${there}; ${back}; ${produced} records`)
        const stored = await world.documents()
        expect(drivesOf(stored)).toEqual(numbersTo(produced))
        await expect
          .poll(async () => drivesOf(await world.documents('others')), { timeout: 60_000 })
          .toEqual(numbersTo(produced))
        expect(containersInOrder(world.emulator)).toEqual(['things', 'others', 'things'])
        expect(await Promise.all(sinks.map((sink) => sink.stop()))).toEqual([0, 0])
        for (const sink of sinks) expect(sink.output()).not.toContain('rejected')
      }
    )
  }

  it(
    'waits for a suspended member, names it, and goes on at its offsets when it continues',
    { timeout: 300_000 },
    async () => {
      const world = await startWorld(WORLD)
      await world.addContainer('others', { keyPaths: ['/byDrive'] })
      const sinks = await Promise.all(['one', 'two'].map((name) => startMember(world, name, CONFIG, '25s')))
      const producer = produce(world, recordOf, 100)
      await world.committed(200)
      const move = await startRekey(world, { brokers, config: CONFIG, plan: PLAN })
      await isPossible(move)
      await expect.poll(() => sinks.map((sink) => ownsSome(sink)), { timeout: 30_000 }).toEqual([true, true])

      sinks[0].signal('SIGSTOP')
      const asked = move.askOnce('switch', '--sink', move.sinkFile)
      await expect.poll(move.output, { timeout: 60_000 }).toMatch(/missing: .*\(member one at /)
      expect(containersInOrder(world.emulator)).toEqual(['things'])
      sinks[0].signal('SIGCONT')
      expect(await asked.ended).toMatchObject({ code: 0, output: expect.stringContaining('others at') })
      await sleep(1000)
      const produced = await producer.stop()
      await world.committed(produced)

      const stored = await world.documents('others')
      expect(drivesOf(stored)).toEqual(numbersTo(produced))
      expect(containersInOrder(world.emulator)).toEqual(['things', 'others'])
      expect(await Promise.all(sinks.map((sink) => sink.stop()))).toEqual([0, 0])
    }
  )
})

interface Group {
  readonly move: RekeyProcess
  readonly sinks: readonly SinkMember[]
  readonly random: Random
}

/** Switches the container while one process is killed or suspended; returns which one. The step is repeated until done. */
async function turnWithHit(command: 'switch' | 'back', { move, sinks, random }: Group): Promise<string> {
  const [phase, options] = command === 'switch' ? ['reverse', ['--sink', move.sinkFile]] : ['follow', []]
  await isPossible(move)
  const printed = move.output().length
  let asked = move.askOnce(command, ...options)
  const step = random.pick(STEPS)
  const laterMs = random.below(400)
  const victim = random.pick(['a sink', 'a suspended sink', 'the command', 'the process of the move'])
  const sink = random.pick(sinks)
  const lateMs = random.below(3000)
  // the step is missing if the switch was refused before
  await Promise.race([asked.ended, untilPrinted(move, step, printed)])
  await sleep(laterMs)
  switch (victim) {
    case 'a sink': {
      await sink.killAndRestart()
      break
    }
    case 'a suspended sink': {
      sink.signal('SIGSTOP')
      await sleep(SESSION_MS - 1500 + lateMs)
      sink.signal('SIGCONT')
      break
    }
    case 'the command': {
      asked.kill()
      break
    }
    default:
      await move.killAndContinue()
  }
  for (;;) {
    const ended = await asked.ended
    // the status is written twice a second, so it may be older than the answer
    if (ended.code === 0 || (await settled(move)) === phase) break
    // null: killed
    expect({ ...ended, code: ended.code ?? 4 }).toMatchObject({ code: 4 })
    await isPossible(move)
    asked = move.askOnce(command, ...options)
  }
  return `${command}: ${victim} ${laterMs} ms after "${step}"`
}

/** The phase, once no switch is under way. */
async function settled(move: RekeyProcess): Promise<string | undefined> {
  for (;;) {
    const { phase } = await move.status()
    if (phase === 'follow' || phase === 'reverse') return phase
    await sleep(100)
  }
}

async function isPossible(move: RekeyProcess): Promise<void> {
  for (;;) {
    const { gates = [] } = await move.status()
    if (gates.length > 0 && gates.every(({ isMet }) => isMet)) return
    await sleep(100)
  }
}

async function untilPrinted(move: RekeyProcess, step: string, from: number): Promise<void> {
  while (!move.output().slice(from).includes(step)) await sleep(10)
}

function startMember(
  { emulator, topic, group }: World,
  name: string,
  config: object,
  sessionTimeout: string = `${SESSION_MS}ms`
): Promise<SinkMember> {
  const { endpoint, key } = emulator
  return startSinkMember(name, {
    name: 'things',
    kafka: {
      brokers: brokers.split(','),
      ...{ topics: [topic], group, sessionTimeout, heartbeatInterval: '1s', handoverPeriod: '3s' }
    },
    cosmos: { endpoint, key, database: 'db', container: 'things', requestTimeout: '3s' },
    commit: { every: '200ms' },
    ...config
  })
}

function ownsSome(sink: SinkMember): boolean {
  const last = sink
    .output()
    .match(/"partitions":\d+/g)
    ?.at(-1)
  return last !== undefined && last !== '"partitions":0'
}

function recordOf(number: number): { readonly key: string; readonly value: string } {
  const drive = String(number).padStart(8, '0')
  return { key: drive, value: JSON.stringify({ drive, device: `device-${number % 7}` }) }
}

function drivesOf(documents: readonly StoredDocument[]): readonly string[] {
  return documents.map(({ drive }) => drive as string).toSorted((one, other) => (one < other ? -1 : 1))
}

function numbersTo(end: number): readonly string[] {
  return Array.from({ length: end }, (_, number) => recordOf(number).key)
}
