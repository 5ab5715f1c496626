import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { type AuthGrace, createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import { createSecret } from '../../src/config/secrets.ts'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import type { LateRequest } from '@keystamp/cosmos'
import { afterEach, describe, expect, it } from 'vitest'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { type Answer, openTarget, type Target } from '../../src/write/target.ts'
import { MINIMAL, readText } from '../config/read-text.ts'

const started: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of started.splice(0).toReversed()) {
    await stop()
  }
})

describe('the writer of an open container', () => {
  it('L5 sends no request of a partition that was lost before the request could be sent', async () => {
    const permit = { isValid: false }
    const { target, emulator } = await open(() => permit.isValid)
    const fence = { isLost: false }
    const answers: Answer[] = []
    target.submit({ kind: 'upsert', record: { id: 'lost', pk: 'a' } }, fence, (answer) => answers.push(answer))
    const kept = new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'kept', pk: 'a' } }, { isLost: false }, resolve)
    )

    fence.isLost = true
    permit.isValid = true

    expect(await kept).toMatchObject({ kind: 'written' })
    expect(answers).toMatchObject([{ code: 'WRITE_FENCED' }])
    expect(emulator.operations().map(({ id }) => id)).toEqual(['kept'])
  })

  it('L5 reports a request that was sent after the process was suspended, with the activity id that Cosmos DB logs', async () => {
    let sessionEndsMs = Number.POSITIVE_INFINITY
    const late: LateRequest[] = []
    const { target, emulator } = await open(() => performance.now() < sessionEndsMs, {
      onLate: (request) => late.push(request)
    })
    await new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'before', pk: 'a' } }, { isLost: false }, resolve)
    )
    let asked = 0
    const fence = {
      get isLost() {
        // The writer reads `isLost` three times: when it takes the operation, before it takes a connection, and before
        // it writes the bytes. At the third time, the process is suspended until its session is over.
        if (++asked === 3) {
          sessionEndsMs = performance.now() + 100
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
        }
        return false
      }
    }

    await new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'late', pk: 'a' } }, fence, resolve)
    )

    const [, { id, activityId }] = emulator.operations()
    expect(id).toBe('late')
    expect(late).toMatchObject([{ activityId, stage: 'written', fences: [fence] }])
    expect(late[0].lateMs).toBeGreaterThan(250)
  })
})

it('a container of a sink has no byte limit in its writer, since the flow control of the sink limits the bytes', async () => {
  const { target } = await open(() => false)
  target.submit({ kind: 'upsert', record: { id: 'a', pk: 'a' } }, { isLost: false }, () => undefined)

  expect(target.stats()).toMatchObject({ pendingBytes: 0, maxPendingBytes: Number.POSITIVE_INFINITY })
})

it('a container of a sink gets writes with the configured priority and throughput bucket', async () => {
  const seen: unknown[] = []
  const see = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage }
    if (request.method === 'POST' && request.url?.endsWith('/docs') === true)
      seen.push(['priority-level', 'throughput-bucket'].map((name) => request.headers[`x-ms-cosmos-${name}`] ?? 'none'))
  }
  subscribe('http.server.request.start', see)
  try {
    for (const config of ['', 'priority: low, throughputBucket: 3']) {
      const { target } = await open(() => true, { config })
      await new Promise<Answer>((resolve) =>
        target.submit({ kind: 'upsert', record: { id: 'a', pk: 'a' } }, { isLost: false }, resolve)
      )
    }
  } finally {
    unsubscribe('http.server.request.start', see)
  }

  expect(seen).toEqual([
    ['none', 'none'],
    ['Low', '3']
  ])
})

describe('a container that does not accept writes', () => {
  it('is retried until it does, although the writer has no byte limit', async () => {
    const { target, emulator } = await open(() => true)
    const fault = emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 503 } })
    const answer = new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'a', pk: 'a' } }, { isLost: false }, resolve)
    )
    await expect.poll(() => target.waits, { timeout: 10_000 }).toMatchObject([{ reason: 'cosmos', subject: 'c' }])

    emulator.faults.clear(fault)

    expect(await answer).toMatchObject({ kind: 'written' })
    expect(target.waits).toEqual([])
  })
})

describe('refused credentials', () => {
  it('make a writer wait if its credentials were accepted before', async () => {
    const auth = createAuthGrace({ clock: performance, graceMs: 60_000, reread: () => Promise.resolve() })
    const { target, emulator } = await open(() => true, { auth })
    emulator.faults.inject({ on: 'bulk', count: 2, action: { kind: 'status', status: 401 } })

    const answer = new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'a', pk: 'a' } }, { isLost: false }, resolve)
    )
    await expect.poll(() => auth.waits).toMatchObject([{ service: 'Cosmos DB' }])

    expect(await answer).toMatchObject({ kind: 'written' })
    expect(auth.waits).toEqual([])
  })

  it('stop the writer when the grace period is over', async () => {
    const auth = createAuthGrace({ clock: performance, graceMs: 50, reread: () => Promise.resolve() })
    const { target, emulator } = await open(() => true, { auth })
    emulator.faults.inject({ on: 'bulk', action: { kind: 'status', status: 401 } })

    const answer = await new Promise<Answer>((resolve) =>
      target.submit({ kind: 'upsert', record: { id: 'a', pk: 'a' } }, { isLost: false }, resolve)
    )

    expect(answer).toMatchObject({ code: 'COSMOS_UNAUTHORIZED' })
  })
})

interface Opening {
  readonly onLate?: (late: LateRequest) => void
  readonly auth?: AuthGrace
  /** Keys of `cosmos`. */
  readonly config?: string
}

async function open(
  maySend: () => boolean,
  { onLate = () => undefined, auth, config = '' }: Opening = {}
): Promise<{ readonly target: Target; readonly emulator: Emulator }> {
  const emulator = await startEmulator({ auth: 'off' })
  started.push(() => emulator.stop())
  await create(`${emulator.endpoint}dbs`, { id: 'd' })
  await create(`${emulator.endpoint}dbs/d/colls`, {
    id: 'c',
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }
  })
  const settings = (
    await readText(
      MINIMAL.replace(
        'cosmos:',
        `cosmos:\n${config
          .split(', ')
          .map((line) => `  ${line}`)
          .join('\n')}`
      )
    )
  ).sinks[0]
  const key = createSecret(emulator.key)
  const target = await openTarget({
    cosmos: { ...settings.cosmos, endpoint: emulator.endpoint, database: 'd', key },
    container: 'c',
    credential: undefined,
    share: '100%',
    newerBy: undefined,
    createRecordMapper: (definition) => createRecordMapper({ settings, container: definition }),
    maySend,
    onLate,
    log: { info: () => undefined, warn: () => undefined },
    clock: performance,
    auth,
    onStopped: () => undefined
  })
  started.push(() => target.close(0))
  return { target, emulator }
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(201)
}
