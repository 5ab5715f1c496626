import { connectKafka, type KafkaClient, type RegistryHandle, startRegistry } from '@keystamp/testkit'
import type { PlanReport } from '@keystamp/planner'
import avro from 'avsc'
import { Kafka, logLevel } from 'kafkajs'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from './shared-kafka.ts'

const { brokers, isMissing, why } = await sharedKafka()
const BIN = fileURLToPath(new URL('../../packages/cli/bin/keystamp.mjs', import.meta.url))
const LOAD = ['--writes', '3000/s', '--ttl', '6h', '--query', 'vin @ 20/s', '--json']
const RECORDS = 1500
const HOUR_MS = 3_600_000

const drive = avro.Type.forSchema({
  type: 'record',
  name: 'Drive',
  fields: [
    { name: 'id', type: 'string' },
    { name: 'vin', type: 'string' }
  ]
})

describe.skipIf(isMissing)(`keystamp plan --from-topic${why}`, () => {
  const topic = `plan-${randomUUID()}`
  let folder: string
  let kafka: KafkaClient
  let registry: RegistryHandle

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
    kafka = await connectKafka(brokers)
    registry = await startRegistry()
    await kafka.createTopic(topic, { partitions: 3 })
    const now = Date.now()
    const records = Array.from({ length: RECORDS }, (_, index) => ({
      partition: index % 3,
      key: `k-${index}`,
      value: JSON.stringify({ id: `${index}`, vin: `vin-${index % 700}` }),
      // the first third is older than an hour
      timestamp: String(index < RECORDS / 3 ? now - 2 * HOUR_MS : now - 1000)
    }))
    await kafka.produce(topic, [...records, { partition: 0, key: 'k', value: null }, { partition: 1, value: '{' }])
    // the topic ends with a control record, which is not returned
    await kafka.produceTransaction(topic, [{ partition: 2, value: '{"id":"last","vin":"vin-1"}' }])
  })

  afterAll(async () => {
    await kafka?.close()
    await registry?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('reads all records, reports which records cannot be decoded, and leaves no consumer group in Kafka', async () => {
    const { code, report, stderr } = await plan(['--from-topic', `${brokers}/${topic}`])

    expect(code).toBe(0)
    expect(report()).toMatchObject({
      sample: { records: RECORDS + 1, method: 'whole' },
      verdict: { candidate: '/vin' }
    })
    expect(stderr).toContain(`read 1,501 records of ${brokers}/${topic}, and 1 tombstone`)
    expect(stderr).toContain('1 record cannot be decoded. The reason for the first one: ')
    const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
    await admin.connect()
    const { groups } = await admin.listGroups()
    await admin.disconnect()
    expect(groups.filter(({ groupId }) => groupId.startsWith('keystamp-plan'))).toEqual([])
  })

  it('reads the last records of each partition, or the records since a time', async () => {
    const last = await plan(['--from-topic', `${brokers}/${topic}`, '--sample', '300'])
    // a control record, the tombstone and the malformed record are among the last ones
    expect(last.report().sample.records).toBeGreaterThanOrEqual(296)
    expect(last.report().sample.records).toBeLessThanOrEqual(303)

    const recent = await plan(['--from-topic', `${brokers}/${topic}`, '--since', '1h'])
    expect(recent.report().sample.records).toBe((RECORDS * 2) / 3 + 1)
  })

  it('decodes Avro with a schema registry, which can come from the configuration of a sink', async () => {
    const inAvro = `${topic}-avro`
    await kafka.createTopic(inAvro, {})
    const id = registry.register(`${inAvro}-value`, JSON.stringify(drive.schema()))
    const head = Buffer.alloc(5)
    head.writeUInt32BE(id, 1)
    const values = Array.from({ length: 50 }, (_, index) => drive.toBuffer({ id: `${index}`, vin: `v-${index % 20}` }))
    await kafka.produce(
      inAvro,
      values.map((value) => ({ value: Buffer.concat([head, value]) }))
    )
    const file = join(folder, 'sink.yaml')
    await writeFile(
      file,
      `name: plan
kafka: { brokers: ["${brokers.split(',').join('", "')}"], topics: [${inAvro}] }
cosmos: { endpoint: "https://localhost:1", database: fleet, container: drives }
value: registry
registry: { url: "${registry.url}" }
plan: { into: /pk, from: [{ field: /vin }] }
`
    )

    const short = await plan(['--from-topic', `${brokers}/${inAvro}`, '--registry', registry.url])
    expect(short.report().sample.records).toBe(50)
    const configured = await plan(['--from-topic', file])
    expect(configured.report().sample.records).toBe(50)
    const asJson = await plan(['--from-topic', `${brokers}/${inAvro}`])
    expect(asJson).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^keystamp: No record of .* can be decoded: It is not JSON\. Name the registry/)
    })
  })

  it('reports in a sentence that the topic does not exist, and ends on SIGTERM', async () => {
    const missing = await plan(['--from-topic', `${brokers}/${topic}-none`])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(`There is no topic "${topic}-none"`) })

    // the records wait for a registry that does not answer
    const waiting = `${topic}-waiting`
    await kafka.createTopic(waiting, {})
    await kafka.produce(waiting, [{ value: Buffer.from([0, 0, 0, 0, 7, 1]) }])
    const { child, stdout, stderr } = start([
      '--from-topic',
      `${brokers}/${waiting}`,
      '--registry',
      'http://127.0.0.1:1'
    ])
    const closed = once(child, 'close') as Promise<[number | null]>
    await new Promise((resolve) => {
      setTimeout(resolve, 5000)
    })
    expect(child.exitCode).toBeNull()
    child.kill('SIGTERM')
    const [code] = await closed
    expect({ code, stdout: stdout(), stderr: stderr() }).toEqual({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('interrupted')
    })
  })
})

interface Planned {
  readonly code: number | null
  readonly stderr: string
  readonly report: () => PlanReport
}

async function plan(args: readonly string[]): Promise<Planned> {
  const { child, stdout, stderr } = start(args)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr: stderr(), report: () => JSON.parse(stdout()) as PlanReport }
}

function start(args: readonly string[]): {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
} {
  const child = spawn(process.execPath, [BIN, 'plan', ...args, ...LOAD], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  return { child, stdout: () => output.stdout, stderr: () => output.stderr }
}
