import { type KafkaClient, type TopicRecord } from '@keystamp/testkit'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const COMMAND = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const PARTITIONS = 4
const SMALL_FETCHES = { maxBytesPerPartition: '16KiB', heartbeatInterval: '500ms' }

describe.skipIf(isMissing)(`a replay of a dead-letter topic${why}`, () => {
  it('stores and marks each dead letter once, although the command is killed while it reads and while it writes', async () => {
    const world = await startWorld({ brokers, ruPerSecond: 8000, emulator: { throttle: true } })
    const count = 2000
    const dead = await produceDeadLetters(world.kafka, world.topic, count)
    const folder = mkdtempSync(join(tmpdir(), 'keystamp-replay-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const config = join(folder, 'sink.json')
    const { endpoint, key } = world.emulator
    writeFileSync(
      config,
      JSON.stringify({
        name: 'things',
        kafka: { brokers: brokers.split(','), topics: [world.topic], group: world.group, ...SMALL_FETCHES },
        cosmos: { endpoint, key, database: 'db', container: 'things' },
        plan: { into: '/partitionKey', from: [{ field: '/device' }] },
        id: { strategy: 'metadata' },
        rejects: { topic: dead }
      })
    )
    const args = ['replay', '--config', config, '--journal', join(folder, 'journal'), '--yes', '--quiet', '--json']
    const marks = (): number => {
      const file = join(folder, 'journal/replayed.txt')
      return existsSync(file) ? (readFileSync(file, 'utf8').match(/^[0-9a-f]{32} .*$/gm) ?? []).length : 0
    }

    await killed(spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }), async () => {
      await world.kafka.groupWith(`${world.group}-replay-`)
    })
    expect(marks()).toBe(0)
    await killed(spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'ignore', 'inherit'] }), () =>
      until(() => marks() > 0)
    )
    const before = marks()
    const last = spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const output = last.stdout.setEncoding('utf8').toArray()
    const [code] = (await once(last, 'exit')) as [number | null]

    expect(code).toBe(0)
    expect(before).toBeLessThan(count)
    const { read, replayedBefore, result } = JSON.parse((await output).join('')) as {
      readonly read: number
      readonly replayedBefore: number
      readonly result: { readonly stored: number; readonly kept: number; readonly open: number }
    }
    expect({ read, replayedBefore, open: result.open }).toEqual({ read: count, replayedBefore: before, open: 0 })
    expect(replayedBefore + result.stored + result.kept).toBe(count)
    const ids = (await world.documents()).map(({ id }) => id)
    expect(ids).toHaveLength(count)
    expect(new Set(ids).size).toBe(count)
    expect(marks()).toBe(count)
  }, 120_000)
})

/** Produces dead letters of one partition into a new topic, and returns its name. */
async function produceDeadLetters(kafka: KafkaClient, topic: string, count: number): Promise<string> {
  const dead = `dead-${randomUUID()}`
  await kafka.createTopic(dead, { partitions: PARTITIONS, config: { 'retention.ms': '-1' } })
  const records = Array.from({ length: count }, (_, offset): TopicRecord => ({
    partition: offset % PARTITIONS,
    key: null,
    value: JSON.stringify({ device: `d${offset % 50}`, n: offset }),
    headers: {
      '__connect.errors.connector.name': 'things',
      '__connect.errors.topic': topic,
      '__connect.errors.partition': '0',
      '__connect.errors.offset': String(offset),
      'keystamp.code': 'FIELD_MISSING',
      'keystamp.timestamp': String(Date.now())
    }
  }))
  // batches that a fetch takes apart
  for (let from = 0; from < count; from += 200) await kafka.produce(dead, records.slice(from, from + 200))
  return dead
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Kills a process once it has come so far. */
async function killed(child: ChildProcess, isFar: () => Promise<void>): Promise<void> {
  const ended = once(child, 'exit') as Promise<[number | null]>
  await Promise.race([isFar(), ended])
  child.kill('SIGKILL')
  // any other code is of a process that has ended by itself
  expect((await ended)[0]).toBeNull()
}
