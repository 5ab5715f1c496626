import { CosmosClient } from '@azure/cosmos'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepeatedRecords } from './sink/repeated-records.ts'
import { countWrites, PARTITIONS, pin, type SinkWorld, startSinkWorld, withEmulator } from './sink/world.ts'

export const question = 'How long does `keystamp replay` take for 100,000 dead letters of 1 KB?'

const DEAD_LETTERS = 100_000
const PORTION = 2000

const CASES = [
  ['write.strategy: append', 'c', { strategy: 'append' }],
  ['write.newerBy', 'newest', { newerBy: { order: 'timestamp' } }]
] as const

/** Replays the same dead letters into an empty container, with each way to replace nothing newer. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    const dead = `dead-${randomUUID()}`
    await produceDeadLetters(world, dead)
    await withEmulator(async (emulator) => {
      const { endpoint, key } = emulator
      const client = new CosmosClient({
        endpoint,
        key,
        connectionPolicy: { enableBackgroundEndpointRefreshing: false }
      })
      const partitionKey = { paths: ['/partitionKey'], version: 2 }
      await client.database('d').containers.create({ id: 'newest', partitionKey, defaultTtl: -1 })
      for (const [name, container, write] of CASES) {
        const before = await countWrites(emulator)
        const seconds = await replay(world, {
          name: 'bench',
          kafka: { brokers: [world.brokers], topics: ['drives'], group: `${dead}-${container}` },
          cosmos: { endpoint, key, database: 'd', container },
          plan: { into: '/partitionKey', from: [{ field: '/day', type: 'date' }], suffix: { by: '/VIN', count: 400 } },
          id: { strategy: 'metadata' },
          rejects: { topic: dead },
          write
        })
        const written = (await countWrites(emulator)) - before
        report(`  ${name.padEnd(24)} ${seconds.toFixed(1)} s, ${written.toLocaleString('en')} writes`)
      }
      client.dispose()
    })
  } finally {
    await world.stop()
  }
}

/** Seconds from the start of the command to its end. */
async function replay({ folder }: SinkWorld, config: object): Promise<number> {
  const file = join(folder, `${randomUUID()}.json`)
  await writeFile(file, JSON.stringify(config))
  const startedMs = performance.now()
  const args = ['replay', '--config', file, '--journal', `${file}.replay`, '--yes', '--quiet', '--json']
  const child = spawn(process.execPath, ['packages/cli/bin/keystamp.mjs', ...args], {
    stdio: ['ignore', 'ignore', 'inherit']
  })
  pin(child.pid!, 0)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The replay ended with the exit code ${code}.`)
  return (performance.now() - startedMs) / 1000
}

async function produceDeadLetters({ kafka }: SinkWorld, topic: string): Promise<void> {
  await kafka.createTopic(topic, { partitions: PARTITIONS, config: { 'retention.ms': '-1' } })
  const make = createRepeatedRecords(17, DEAD_LETTERS)
  const timestamp = Date.now() - 60_000
  for (let offset = 0; offset < DEAD_LETTERS; offset += PORTION) {
    const records = Array.from({ length: PORTION }, (_, index) => ({
      ...make(),
      headers: {
        '__connect.errors.connector.name': 'bench',
        '__connect.errors.topic': 'drives',
        '__connect.errors.partition': '0',
        '__connect.errors.offset': String(offset + index),
        'keystamp.code': 'FIELD_MISSING',
        'keystamp.timestamp': String(timestamp)
      }
    }))
    await kafka.produce(topic, records)
  }
}
