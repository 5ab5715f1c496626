import Runner from 'kafkajs/src/consumer/runner.js'
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkKafkajsVersion, patchKafkajs } from '../../../src/kafka/kafkajs-patches/patch-kafkajs.ts'

/** Members of kafkajs's runner that a consumer uses. */
interface Running {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** More calls than any test here needs. Without a limit, fetchers that never yield would block the test forever. */
const MAX_CALLS = 1000

describe('a runner of kafkajs', () => {
  it('leaves the group if it is stopped while one broker disappears and another broker still answers its last fetch', async () => {
    patchKafkajs(Number.POSITIVE_INFINITY)
    const group = new ScriptedGroup(['1', '2'])
    const runner = createRunner(group)
    await runner.start()
    await group.untilFetching('1', '2')

    group.nodeIds = ['1']
    group.answer('1')
    await setImmediate()
    const stopped = runner.stop()
    group.answer('2')
    await stopped

    expect(group.calls).toEqual(['join', 'leave'])
    expect(group.crashes).toEqual([])
  })

  it('leaves the group if it is stopped while all brokers still answer their last fetch', async () => {
    patchKafkajs(Number.POSITIVE_INFINITY)
    const group = new ScriptedGroup(['1', '2'])
    const runner = createRunner(group)
    await runner.start()
    await group.untilFetching('1', '2')

    const stopped = runner.stop()
    group.answer('1')
    group.answer('2')
    await stopped

    expect(group.calls).toEqual(['join', 'leave'])
  })

  it('fetches from the remaining brokers as long as it runs', async () => {
    patchKafkajs(Number.POSITIVE_INFINITY)
    const group = new ScriptedGroup(['1', '2'])
    const runner = createRunner(group)
    await runner.start()
    await group.untilFetching('1', '2')

    group.nodeIds = ['2', '3']
    group.answer('1')
    group.answer('2')
    await group.untilFetching('2', '3')

    const stopped = runner.stop()
    group.answer('2')
    group.answer('3')
    await stopped
    expect(group.calls).toEqual(['join', 'leave'])
  })
})

class ScriptedGroup {
  readonly groupId = 'group'
  readonly memberId = 'member'
  readonly calls: string[] = []
  readonly crashes: Error[] = []
  nodeIds: readonly string[]
  #calls = 0
  readonly #fetches: Map<string, () => void> = new Map()

  constructor(nodeIds: readonly string[]) {
    this.nodeIds = nodeIds
  }

  getNodeIds(): readonly string[] {
    if (++this.#calls > MAX_CALLS) throw new Error(`The fetchers asked ${this.#calls} times.`)
    return this.nodeIds
  }

  async connect(): Promise<void> {}

  async joinAndSync(): Promise<void> {
    this.calls.push('join')
  }

  async leave(): Promise<void> {
    this.calls.push('leave')
  }

  async heartbeat(): Promise<void> {}

  fetch(nodeId: string): Promise<readonly unknown[]> {
    return new Promise((resolve) => {
      this.#fetches.set(nodeId, () => resolve([]))
    })
  }

  answer(nodeId: string): void {
    const answer = this.#fetches.get(nodeId)
    this.#fetches.delete(nodeId)
    answer?.()
  }

  async untilFetching(...nodeIds: readonly string[]): Promise<void> {
    while (!nodeIds.every((nodeId) => this.#fetches.has(nodeId))) await setImmediate()
  }
}

function createRunner(consumerGroup: ScriptedGroup): Running {
  const Made = Runner as unknown as new (options: object) => Running
  const logger = { namespace: () => logger, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  return new Made({
    logger,
    consumerGroup,
    instrumentationEmitter: { emit: () => {} },
    eachBatch: async () => {},
    concurrency: 1,
    autoCommit: false,
    retry: { retries: 0 },
    onCrash: (error: Error) => void consumerGroup.crashes.push(error)
  })
}

it('checkKafkajsVersion accepts the installed version of kafkajs, which is the version that package.json names', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly dependencies: { readonly kafkajs: string }
  }

  expect(() => checkKafkajsVersion()).not.toThrow()
  expect(() => checkKafkajsVersion(manifest.dependencies.kafkajs)).not.toThrow()
})

it('checkKafkajsVersion refuses another version of kafkajs with a sentence that names both versions', () => {
  expect(() => checkKafkajsVersion('2.3.0')).toThrow(
    'kafkajs 2.3.0 is installed, and this version of Keystamp works with kafkajs 2.2.4 only. Install that version.'
  )
})

/** Members of kafkajs's request queue that a connection uses. */
interface RequestQueueUnderTest {
  readonly push: (request: object) => void
  readonly fulfillRequest: (answer: object) => void
  readonly maybeThrottle: (ms: number) => void
  readonly checkPendingRequests: () => void
}

describe('the request queue of kafkajs', () => {
  let sent: number[]

  beforeEach(() => {
    patchKafkajs(Number.POSITIVE_INFINITY)
    sent = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('sets no timer if no request waits', () => {
    const queue = createQueue()

    push(queue, 1)
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null })
    queue.checkPendingRequests()

    expect(sent).toEqual([1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends a throttled request after its delay, and not before', () => {
    const queue = createQueue()
    queue.maybeThrottle(500)

    push(queue, 1)
    push(queue, 2)
    vi.advanceTimersByTime(499)
    expect(sent).toEqual([])

    vi.advanceTimersByTime(2)
    expect(sent).toEqual([1, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends a waiting request as soon as the request before it is answered', () => {
    const queue = createQueue({ maxInFlightRequests: 1 })

    push(queue, 1)
    push(queue, 2)
    expect(sent).toEqual([1])
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null })

    expect(sent).toEqual([1, 2])
  })

  function push(queue: RequestQueueUnderTest, correlationId: number): void {
    const entry = { correlationId, resolve: () => {}, reject: () => {} }
    queue.push({ entry, expectResponse: true, sendRequest: () => void sent.push(correlationId) })
  }
})

function createQueue(options: object = {}): RequestQueueUnderTest {
  const Made = RequestQueue as unknown as new (options: object) => RequestQueueUnderTest
  const logger = { debug: () => {}, warn: () => {} }
  return new Made({
    requestTimeout: 1000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'b:1',
    logger,
    ...options
  })
}
