import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import {
  type BlockMemory,
  createRandom,
  discoverFields,
  type KeyCandidate,
  type ProfilerOptions,
  readRows,
  RowReader,
  type RowOptions,
  type SampleProfile
} from '@keystamp/planner'
import { describe, expect, test } from 'vitest'
import { RecordCounter } from '../../src/planner/record-counter.ts'
import { RowThread } from '../../src/planner/row-thread.ts'

const RECORDS = Array.from({ length: 5000 }, (_, index) => ({
  id: index,
  tenant: index % 7 === 0 ? 'large' : `t-${index % 90}`,
  user: index % 50 === 3 ? undefined : `u-${(index * 7919) % 700}`,
  order: `o-${index >> 1}`,
  at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  payload: 'x'.repeat(index === 2500 ? 600_000 : index % 300)
}))

const CANDIDATES: readonly KeyCandidate[] = [
  { name: 'tenant', plan: null, partitionKeyPaths: ['/tenant'] },
  { name: 'tenant, user', plan: null, partitionKeyPaths: ['/tenant', '/user'] },
  { name: 'user, version 1', plan: null, partitionKeyPaths: ['/user'], hashVersion: 1 },
  {
    name: 'suffixes',
    plan: { into: '/pk', from: [{ field: '/tenant' }], suffix: { by: '/user', count: 8, labels: 'even' } },
    partitionKeyPaths: ['/pk']
  }
]

const lines = RECORDS.map((record, index) => Buffer.from(index % 400 === 9 ? 'no record' : JSON.stringify(record)))

function optionsOf(candidates: readonly KeyCandidate[] = CANDIDATES): ProfilerOptions {
  return {
    candidates,
    fields: discoverFields(RECORDS.slice(0, 100).map((record) => JSON.parse(JSON.stringify(record)) as unknown)),
    timeField: '/at',
    transactions: ['/order'],
    random: createRandom(1),
    maxKeys: 2000,
    reservoirSize: 1000
  }
}

async function countWith(
  thread: RowThread | undefined,
  batch: number,
  candidates?: readonly KeyCandidate[]
): Promise<SampleProfile> {
  const counter = new RecordCounter(optionsOf(candidates), thread)
  for (let next = 0; next < lines.length; next += batch) {
    // the memory of a batch is used again for the next one
    const records = lines.slice(next, next + batch).map((line) => Uint8Array.from(line))
    await counter.add(records)
    for (const record of records) record.fill(0)
  }
  return counter.finish()
}

/** Thread that begins after more than `start` turns of the event loop, and reads a block in more than `turns` of them. */
class SlowWorker extends EventEmitter {
  readonly #turns: number
  #reader: RowReader | undefined
  #last: Promise<void>
  blocks = 0

  constructor(start: number, turns: number) {
    super()
    this.#turns = turns
    this.#last = this.#after(start, () => this.emit('message', 'ready'))
  }

  postMessage(message: { options?: RowOptions; memory?: BlockMemory; records?: number }): void {
    const { options, memory, records = 0 } = structuredClone(message)
    if (options !== undefined) this.#reader = new RowReader(options)
    else if (memory !== undefined) {
      this.blocks++
      const reader = this.#reader as RowReader
      this.#last = this.#last.then(() =>
        this.#after(this.#turns, () => {
          readRows(reader, memory, records)
          this.emit('message', 'read')
        })
      )
    }
  }

  async terminate(): Promise<number> {
    return 0
  }

  async #after(turns: number, work: () => void): Promise<void> {
    for (let turn = 0; turn <= turns; turn++) await new Promise(setImmediate)
    work()
  }
}

const threadOf = (worker: EventEmitter): RowThread => new RowThread(worker as Worker)

describe('RecordCounter', () => {
  test.each([
    [0, 0, 1],
    [0, 1, 64],
    [3, 5, 64],
    [0, 40, 300],
    [1000, 0, 64]
  ])(
    'counts the same with a thread that begins after %i turns and reads a block in %i turns',
    async (start, turns, batch) => {
      const worker = new SlowWorker(start, turns)

      const counted = await countWith(threadOf(worker), batch)

      expect(counted).toEqual(await countWith(undefined, batch))
      expect(worker.blocks > 0).toBe(start < 1000)
      expect(counted).toMatchObject({ records: 4987, invalid: 13 })
    }
  )

  test('reads records of random suffixes in one thread', async () => {
    const random = CANDIDATES.map((each) =>
      each.plan === null ? each : { ...each, plan: { ...each.plan, suffix: { by: 'random' as const, count: 4 } } }
    )
    const worker = new SlowWorker(0, 0)

    expect(await countWith(threadOf(worker), 64, random)).toEqual(await countWith(undefined, 64, random))
    expect(worker.blocks).toBe(0)
  })

  test.each([
    ['Worker terminated due to reaching memory limit', (worker: EventEmitter, why: Error) => worker.emit('error', why)],
    ['it has ended', (worker: EventEmitter) => worker.emit('exit', 1)]
  ])('says in one sentence that the thread has failed: %s', async (why, fail) => {
    const worker = new SlowWorker(0, 0)
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message) => (worker.blocks < 2 ? post(message) : void fail(worker, new Error(why)))

    await expect(countWith(threadOf(worker), 64)).rejects.toThrow(`The thread that reads records has failed: ${why}.`)
  })

  test('says that the thread has failed before its first block', async () => {
    const worker = new SlowWorker(1000, 0)
    const thread = threadOf(worker)
    worker.emit('error', new Error('no memory'))

    await expect(countWith(thread, 64)).rejects.toThrow('The thread that reads records has failed: no memory.')
  })
})
