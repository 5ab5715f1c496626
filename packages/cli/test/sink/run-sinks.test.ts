import type { Service, ServiceSettings, SinkEnd } from '@keystamp/connector'
import { KeystampError } from '@keystamp/core'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { runSinks } from '../../src/sink/run-sinks.ts'

const CONFIG = `sinks:
  - { name: a, kafka: { brokers: ["a:1"], topics: [a] }, cosmos: { endpoint: "https://a/", database: d, container: c, key: a2V5 } }
  - { name: b, kafka: { brokers: ["a:1"], topics: [b] }, cosmos: { endpoint: "https://a/", database: d, container: c, key: "\${env:KEY}" } }
`

interface Ran {
  readonly code: number
  readonly said: string
}

const STOPPED: SinkEnd = { state: 'stopped', error: undefined }

/** Runs two sinks that end with these states: when they are stopped, or at once. */
async function runTwo(ends: readonly SinkEnd[], { isStopped }: { readonly isStopped: boolean }): Promise<Ran> {
  const abort = new AbortController()
  const stderr = new PassThrough()
  let end!: (ends: readonly SinkEnd[]) => void
  const ended = new Promise<readonly SinkEnd[]>((resolve) => {
    end = resolve
  })
  const start = async ({ sinks }: ServiceSettings): Promise<Service> => {
    setImmediate(() => (isStopped ? abort.abort() : end(ends)))
    return {
      sinks: sinks.map(
        ({ name }, index) => ({ name, ended: ended.then((all) => all[index]) }) as Service['sinks'][number]
      ),
      url: 'http://127.0.0.1:8080',
      started: Promise.resolve(),
      stop: async () => end(ends),
      ended
    }
  }
  const dependencies = {
    stdin: Readable.from([CONFIG]),
    stdout: new PassThrough(),
    stderr,
    env: { KEY: 'a2V5' },
    signal: abort.signal,
    now: () => 0
  }
  const code = await runSinks('-', dependencies, start)
  return { code, said: String(stderr.read()) }
}

describe('keystamp sink with several sinks', () => {
  test('drains at the first signal, and ends with exit code 0', async () => {
    const { code, said } = await runTwo([STOPPED, STOPPED], { isStopped: true })

    expect(code).toBe(0)
    expect(said).toBe(
      'keystamp: warning: sinks[0].cosmos.key is in the file as clear text: write ${env:NAME} or ${file:path} instead.\n' +
        'keystamp: health and metrics at http://127.0.0.1:8080/readyz and http://127.0.0.1:8080/metrics.\n' +
        'keystamp: draining: waiting for the outcome of open records, then committing. A second signal ends the process at once; uncommitted records are then read again.\n'
    )
  })

  test.each([
    ['KAFKA_UNAVAILABLE', 1],
    ['COSMOS_UNAVAILABLE', 1],
    ['COSMOS_UNAUTHORIZED', 2],
    ['KAFKA_UNAUTHORIZED', 2],
    ['SINK_STALLED', 1],
    ['TOPIC_MISSING', 2],
    ['OFFSETS_LOST', 2],
    ['PLAN_CHANGED', 2],
    ['CONTAINER_MISMATCH', 2],
    ['CONTAINER_RECREATED', 2],
    ['RECORD_REJECTED', 3],
    ['TOLERANCE_EXCEEDED', 3]
  ] as const)('ends with the exit code for the error of the failed sink: %s ends with %i', async (error, expected) => {
    const failed: SinkEnd = { state: 'failed', error: new KeystampError(error, 'It went wrong.') }
    const { code, said } = await runTwo([STOPPED, failed], { isStopped: false })

    expect(code).toBe(expected)
    expect(said).toContain('keystamp: b: It went wrong.\n')
  })

  test('reports at once which sink failed, and that the other sinks keep running', async () => {
    let fail!: (end: SinkEnd) => void
    let stop!: (end: SinkEnd) => void
    const first = new Promise<SinkEnd>((resolve) => (fail = resolve))
    const second = new Promise<SinkEnd>((resolve) => (stop = resolve))
    const stderr = new PassThrough()
    const start = async (): Promise<Service> => ({
      sinks: [
        { name: 'a', ended: first },
        { name: 'b', ended: second }
      ] as unknown as Service['sinks'],
      url: undefined,
      started: Promise.resolve(),
      stop: async () => stop(STOPPED),
      ended: Promise.all([first, second])
    })
    const abort = new AbortController()
    const running = runSinks(
      '-',
      {
        stdin: Readable.from([CONFIG]),
        stdout: new PassThrough(),
        stderr,
        env: { KEY: 'a2V5' },
        signal: abort.signal,
        now: () => 0
      },
      start
    )

    fail({ state: 'failed', error: new KeystampError('TOPIC_MISSING', 'There is no topic.') })
    await expect.poll(() => stderr.readableLength).toBeGreaterThan(0)
    const said = String(stderr.read())
    abort.abort()

    expect(said).toContain('keystamp: a: There is no topic. The other sinks (1) keep running.\n')
    expect(await running).toBe(2)
  })

  test('ends with exit code 4 when the shutdown timeout has passed with records in flight', async () => {
    const late: SinkEnd = {
      state: 'stopped',
      error: new KeystampError('SHUTDOWN_TIMEOUT', 'After 30 s 7 records still had no outcome.')
    }

    expect((await runTwo([late, STOPPED], { isStopped: true })).code).toBe(4)
  })
})
