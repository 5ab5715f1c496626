import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startEmulator } from '@keystamp/emulator'
import { startRedis, startRegistry } from '@keystamp/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../e2e/shared-kafka.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RECORDS = 2000
const { brokers, isMissing, why } = await sharedKafka()
const redis = isMissing ? { missing: 'There is no Kafka.' } : await startRedis()
const reason = isMissing || !('missing' in redis) ? why : ` (skipped: ${redis.missing})`

/** A process of a service in docker-compose.yml, which runs here without a container. */
interface Program {
  readonly output: () => string
  /** Its exit code. */
  readonly exitCode: Promise<number>
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

// The containers cannot run here, but their programs can.
describe.skipIf(isMissing || 'missing' in redis)(`the programs of docker-compose.yml${reason}`, () => {
  const programs: Program[] = []
  const stops: (() => Promise<void>)[] = []
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    const registry = await startRegistry()
    const emulator = await startEmulator({ ranges: 4, throttle: true })
    stops.push(registry.stop, emulator.stop)
    env = {
      KEYSTAMP_COMPOSE_KAFKA: brokers,
      KEYSTAMP_COMPOSE_REGISTRY: registry.url,
      KEYSTAMP_COMPOSE_COSMOS: emulator.endpoint,
      KEYSTAMP_COMPOSE_RATE: '1000',
      KEYSTAMP_COMPOSE_RECORDS: String(RECORDS),
      KEYSTAMP_SINK_KAFKA_BROKERS: brokers,
      KEYSTAMP_SINK_READINGS_REGISTRY_URL: registry.url,
      KEYSTAMP_SINK_COSMOS_SHARED_THROUGH_REDIS: 'url' in redis ? redis.url : '',
      KEYSTAMP_SINK_HTTP_HOST: '127.0.0.1',
      KEYSTAMP_SINK_HTTP_PORT: '0'
    }
  })

  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL')
    await Promise.all(programs.map(({ exitCode }) => exitCode))
    await Promise.all(stops.map((stop) => stop()))
    if ('stop' in redis) await redis.stop()
  })

  it('store every produced record once, and end with exit code 0 on SIGTERM', { timeout: 120_000 }, async () => {
    expect(await run('docker/prepare.mjs').exitCode).toBe(0)
    // the second run finds everything created
    expect(await run('docker/prepare.mjs').exitCode).toBe(0)

    const sinks = [sink(), sink()]
    const urls = await Promise.all(sinks.map((each) => urlOf(each)))
    await Promise.all(urls.map((url) => untilReady(url)))
    const producer = run('docker/produce.mjs')
    const count = run('docker/count.mjs', String(RECORDS), '60')

    const stored = new RegExp(`{"drives":${RECORDS},"readings":${RECORDS},"rejected":\\d+}`)
    expect([await count.exitCode, count.output()]).toEqual([0, expect.stringMatching(stored)])
    const metrics = await Promise.all(urls.map((url) => textAt(`${url}/metrics`)))
    expect(metrics.map((page) => metricsOfDashboard().filter((name) => !page.includes(`# HELP ${name} `)))).toEqual([
      [],
      []
    ])
    expect(metrics.map((page) => settledIn(page)).filter((settled) => settled === 0)).toEqual([])

    for (const program of [...sinks, producer]) program.kill('SIGTERM')
    expect(await Promise.all([...sinks, producer].map(({ exitCode }) => exitCode))).toEqual([0, 0, 0])
  })

  function sink(): Program {
    return run('packages/cli/bin/keystamp.mjs', 'sink', '--config', 'docker/sink/sink.yaml')
  }

  function run(file: string, ...args: readonly string[]): Program {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (output += chunk.toString()))
    const program = {
      output: () => output,
      exitCode: once(child, 'close').then(([code]) => Number(code)),
      kill: (signal: 'SIGTERM' | 'SIGKILL') => void child.kill(signal)
    }
    programs.push(program)
    return program
  }
})

async function urlOf({ output, exitCode }: Program): Promise<string> {
  const isOver = exitCode.then(() => true)
  for (;;) {
    const found = output().match(/(http:\/\/127\.0\.0\.1:\d+)\/metrics/)?.[1]
    if (found !== undefined) return found
    if (await Promise.race([isOver, wait(50)]))
      throw new Error(`A sink ended before it served its metrics: ${output()}`)
  }
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await wait(100)
}

async function wait(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, ms, false))
}

async function textAt(url: string): Promise<string> {
  const { body } = await fetch(url)
  return text(body!)
}

function metricsOfDashboard(): readonly string[] {
  const board = readFileSync(`${ROOT}/docker/grafana/dashboards/sink.json`, 'utf8')
  const series = board.match(/\b(?:keystamp|process)_\w+/g) ?? []
  // the buckets of a histogram have no HELP line of their own
  return [...new Set(series.map((name) => name.replace(/_bucket$/, '')))]
}

function settledIn(page: string): number {
  const lines = [...page.matchAll(/^keystamp_sink_records_settled_total\{.*\} (\d+)$/gm)]
  return lines.reduce((sum, [, count]) => sum + Number(count), 0)
}
