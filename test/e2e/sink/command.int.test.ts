import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, startRegistry } from '@keystamp/testkit'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'

const { brokers, isMissing, why } = await sharedKafka()
const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))
const CANARY = 'canary-0f2c'

describe.skipIf(isMissing)(`keystamp sink as a process${why}`, () => {
  const topic = `command-${randomUUID()}`
  let folder: string
  let kafka: KafkaClient
  let emulator: Emulator
  let client: CosmosClient

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
    kafka = await connectKafka(brokers)
    emulator = await startEmulator({ port: 0 })
    client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
    await client.databases.create({ id: 'fleet' })
    await client
      .database('fleet')
      .containers.create({ id: 'drives', partitionKey: { paths: ['/pk'], version: PartitionKeyDefinitionVersion.V2 } })
    await kafka.createTopic(topic, { partitions: 2 })
  })

  afterAll(async () => {
    await kafka?.close()
    await emulator?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  async function start(
    more: string,
    from = topic,
    node: readonly string[] = []
  ): Promise<{ readonly child: ChildProcess; readonly output: () => string }> {
    const file = join(folder, `${randomUUID()}.yaml`)
    await writeFile(
      file,
      `name: command
kafka: { brokers: ["${brokers.split(',').join('", "')}"], topics: [${from}], sessionTimeout: 11s }
cosmos: { endpoint: "${emulator.endpoint}", key: "\${env:COSMOS_KEY}", database: fleet, container: drives }
plan: { into: /pk, from: [{ field: /vin }] }
http: { port: 0 }
${more}`
    )
    const child = spawn(process.execPath, [...node, BIN, 'sink', '--config', file], {
      env: { ...process.env, COSMOS_KEY: emulator.key, KEYSTAMP_SINK_KAFKA_GROUP: `group-${randomUUID()}` },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { child, output: () => text }
  }

  async function documents(): Promise<readonly { readonly id: string; readonly pk: string }[]> {
    const { resources } = await client
      .database('fleet')
      .container('drives')
      .items.readAll<{ id: string; pk: string }>()
      .fetchAll()
    return resources.map(({ id, pk }) => ({ id, pk }))
  }

  it('stores records, drains at SIGTERM and ends with exit code 0', async () => {
    const { child, output } = await start('')
    await kafka.produce(topic, [{ key: 'k', value: `{"id":"a","vin":"v","secret":"${CANARY}"}` }])

    await expect.poll(documents, { timeout: 30_000 }).toEqual([{ id: 'a', pk: 'v' }])
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]

    expect({ code, output: output() }).toEqual({ code: 0, output: expect.stringContaining('keystamp: draining') })
    expect(output()).not.toContain(CANARY)
  })

  it('ends with exit code 3 at a rejected record, and reports its offset and the reason without its content', async () => {
    await kafka.produce(topic, [{ key: 'k', value: `{"id":"b","wine":"${CANARY}"}` }])
    const { child, output } = await start('')

    const [code] = (await once(child, 'exit')) as [number]

    expect({ code, output: output() }).toEqual({
      code: 3,
      output: expect.stringMatching(/keystamp: command: The record at .* was rejected \(FIELD_MISSING\)/)
    })
    expect(output()).not.toContain(CANARY)
  })

  it('never detaches a buffer, which would slow down every later access to typed arrays', async () => {
    const registry = await startRegistry()
    const framed = `framed-${randomUUID()}`
    await kafka.createTopic(framed, { partitions: 1 })
    const text = { type: 'string' }
    const id = registry.register(
      'cars',
      JSON.stringify({
        type: 'record',
        name: 'Car',
        fields: [
          { name: 'id', ...text },
          { name: 'vin', ...text }
        ]
      })
    )
    await kafka.produce(framed, [{ key: 'k', value: Buffer.from([0, 0, 0, 0, id, 2, 0x63, 2, 0x77]) }])
    const { child, output } = await start(`value: registry\nregistry: { url: "${registry.url}" }\n`, framed, [
      '--trace-protector-invalidation'
    ])

    await expect.poll(documents, { timeout: 30_000 }).toContainEqual({ id: 'c', pk: 'w' })
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number]
    await registry.stop()

    expect({ code, output: output() }).toEqual({ code: 0, output: expect.not.stringContaining('ArrayBufferDetaching') })
  })
})
