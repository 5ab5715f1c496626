import { type Emulator, startEmulator } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, type RegistryHandle, startRegistry, type TopicRecord } from '@keystamp/testkit'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { sharedKafka } from '../shared-kafka.ts'
import { createContainer, createDatabase } from './documents.ts'

const { brokers, isMissing, why } = await sharedKafka()
const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

const KEY = 'canary-key-7f3a'
const PAYLOAD = 'canary-payload-91bc'
const SCHEMA = {
  type: 'record',
  name: 'Thing',
  fields: [{ name: 'vin', type: { type: 'enum', name: 'Kind', symbols: ['A'] } }]
}

/** Records that cannot be stored, each for another reason. Each contains a canary in every possible part. */
const REJECTED: readonly (readonly [string, TopicRecord])[] = [
  ['json', { key: KEY, value: `{"id":"1","vin":"${PAYLOAD}"` }],
  ['json', { key: KEY, value: `{"id":"2","wine":"${PAYLOAD}"}` }],
  ['json', { key: KEY, value: `{"id":"3","vin":{"${PAYLOAD}":"${PAYLOAD}"}}` }],
  ['json', { key: KEY, value: `{"id":"4","vin":"v","pk":"${PAYLOAD}"}` }],
  ['json', { key: KEY, value: `{"vin":"${PAYLOAD}"}` }],
  ['json', { key: KEY, value: `{"id":"${PAYLOAD.repeat(60)}","vin":"v"}` }],
  ['json', { key: KEY, value: `{"id":"7","vin":"${PAYLOAD}\\ud800"}` }],
  ['json', { key: KEY, value: `{"id":"8","vin":"v","seconds":"${PAYLOAD}"}` }],
  ['json', { key: KEY, value: `["${PAYLOAD}"]` }],
  ['json', { key: KEY, value: null }],
  ['json', { key: KEY, value: `{"id":"refused","vin":"${PAYLOAD}"}` }],
  ['envelope', { key: KEY, value: `{"schema":{"type":"${PAYLOAD}"},"payload":{"id":"1"}}` }],
  ['envelope', { key: KEY, value: `{"schema":{"type":"int32"},"payload":"${PAYLOAD}"}` }],
  ['avro', { key: KEY, value: Buffer.concat([Buffer.from([0x7e]), Buffer.from(PAYLOAD)]) }],
  ['registry', { key: KEY, value: Buffer.concat([Buffer.from([0, 0, 0, 0, 99]), Buffer.from(PAYLOAD)]) }],
  ['registry', { key: KEY, value: PAYLOAD }]
]

describe.skipIf(isMissing)(`the output of a sink${why}`, () => {
  const run = randomUUID()
  let folder: string
  let kafka: KafkaClient
  let emulator: Emulator
  let registry: RegistryHandle

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keystamp-canary-'))
    kafka = await connectKafka(brokers)
    emulator = await startEmulator({ auth: 'off', ranges: 2 })
    registry = await startRegistry()
    await createDatabase(emulator.endpoint)
    await createContainer(emulator.endpoint, 'things', { keyPaths: ['/pk'], defaultTtl: -1 })
    // the error message of the service may contain the document
    const message = `The document ${PAYLOAD} of ${KEY} is refused.`
    emulator.faults.inject({ on: 'bulkOperation', id: 'refused', action: { kind: 'status', status: 400, message } })
    for (const name of ['json', 'envelope', 'avro', 'registry', 'dead-letters']) {
      await kafka.createTopic(`${name}-${run}`, { config: { 'retention.ms': '-1' } })
    }
    for (const [topic, record] of REJECTED) {
      await kafka.produce(`${topic}-${run}`, [{ headers: { trace: PAYLOAD }, ...record }])
    }
    await kafka.produce(`json-${run}`, [
      { key: KEY, value: `{"id":"${PAYLOAD}","vin":"${PAYLOAD}"}`, headers: { trace: PAYLOAD } }
    ])
  })

  afterAll(async () => {
    await kafka?.close()
    await emulator?.stop()
    await registry?.stop()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  it('never contains a key or a payload under any fault: not in logs, metrics, health or errors', async () => {
    const sink = await start('everything', {
      sinks: ['json', 'envelope', 'avro', 'registry'].map(sinkOf),
      http: { port: 0 },
      log: { level: 'debug' }
    })
    await expect.poll(() => urlIn(sink.output()), { timeout: 30_000 }).toBeDefined()
    const url = urlIn(sink.output())!
    await expect.poll(() => deadLettersCopied(), { timeout: 30_000, interval: 200 }).toBe(REJECTED.length)
    const pages = [await pagesOf(url)]

    // there are other messages while Cosmos DB throttles, and while it cannot be reached
    for (const action of [{ kind: 'status', status: 429, retryAfterMs: 50 }, { kind: 'reset' }] as const) {
      const fault = emulator.faults.inject({ on: 'write', action })
      await kafka.produce(`json-${run}`, [{ key: KEY, value: `{"id":"${action.kind}","vin":"${PAYLOAD}"}` }])
      await new Promise((resolve) => setTimeout(resolve, 1000))
      pages.push(await pagesOf(url))
      emulator.faults.clear(fault)
    }
    sink.child.kill('SIGTERM')
    await once(sink.child, 'exit')

    const everything = [...pages, sink.output()].join('\n')
    expect(everything).toContain('keystamp_sink_records_rejected_total')
    expect(everything).toContain('waiting for')
    expect(linesWithCanary(everything)).toEqual([])
    const deadLetters = await kafka.read(`dead-letters-${run}`)
    expect(
      deadLetters.filter(({ key, value }) => linesWithCanary(`${String(key)} ${String(value)}`).length > 0)
    ).toHaveLength(REJECTED.length)
    const reasons = deadLetters.map(({ headers = {} }) => String(headers['__connect.errors.exception.message']))
    expect(reasons).toHaveLength(REJECTED.length)
    expect(linesWithCanary(reasons.join('\n'))).toEqual([])
  })

  it.each(['json', 'envelope', 'avro', 'registry'])(
    'never contains a key or a payload in its last messages when the sink stops at a record in %s',
    async (name) => {
      const { rejects: _, ...rest } = sinkOf(name)
      const sink = await start(`stops-${name}`, { ...rest, kafka: { ...rest.kafka, group: `stops-${name}-${run}` } })

      const [code] = (await once(sink.child, 'exit')) as [number]

      expect({ code, output: sink.output() }).toEqual({ code: 3, output: expect.stringContaining('was rejected') })
      expect(linesWithCanary(sink.output())).toEqual([])
    }
  )

  function sinkOf(name: string) {
    const formats: Readonly<Record<string, object>> = {
      json: {},
      envelope: { value: 'json-envelope' },
      avro: { value: { format: 'avro', schema: SCHEMA } },
      registry: { value: 'registry', registry: { url: registry.url } }
    }
    return {
      name,
      kafka: { brokers: brokers.split(','), topics: [`${name}-${run}`], group: `${name}-${run}` },
      cosmos: { endpoint: emulator.endpoint, key: emulator.key, database: 'db', container: 'things' },
      plan: { into: '/pk', from: [{ field: '/vin' }] },
      write: { ttl: { field: '/seconds' } },
      rejects: { topic: `dead-letters-${run}`, tolerance: { percent: 100 } },
      ...formats[name]
    }
  }

  async function start(name: string, config: object) {
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, stringify(config))
    const child = spawn(process.execPath, [BIN, 'sink', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { child, output: () => text }
  }

  async function deadLettersCopied(): Promise<number> {
    return [...(await kafka.ends(`dead-letters-${run}`)).values()].reduce((sum, end) => sum + Number(end), 0)
  }
})

function urlIn(text: string): string | undefined {
  return /http:\S+(?=\/readyz)/.exec(text)?.[0]
}

async function pagesOf(url: string): Promise<string> {
  const pages = await Promise.all(
    ['livez', 'readyz', 'metrics'].map(async (page) => (await fetch(`${url}/${page}`)).text())
  )
  return pages.join('\n')
}

function linesWithCanary(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.includes(KEY) || line.includes(PAYLOAD))
}
