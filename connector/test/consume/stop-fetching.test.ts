import Runner from 'kafkajs/src/consumer/runner.js'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { stopFetching } from '../../src/consume/stop-fetching.ts'

/** What of kafkajs's runner a consumer uses. */
interface Running {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** More than any test here needs; without an end the thread would never come back to the test. */
const MOST_QUESTIONS = 1000

describe('stopFetching', () => {
  it('lets a consumer leave that is stopped while a broker disappears and another one still answers its last fetch', async () => {
    stopFetching()
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

  it('lets a consumer leave that is stopped while all brokers still answer their last fetch', async () => {
    stopFetching()
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

  it('fetches from the brokers that are left while the consumer runs', async () => {
    stopFetching()
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
  #questions = 0
  readonly #fetches: Map<string, () => void> = new Map()

  constructor(nodeIds: readonly string[]) {
    this.nodeIds = nodeIds
  }

  getNodeIds(): readonly string[] {
    if (++this.#questions > MOST_QUESTIONS) throw new Error(`The fetchers asked ${this.#questions} times.`)
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
    // oxlint-disable-next-line no-await-in-loop -- nothing tells
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
