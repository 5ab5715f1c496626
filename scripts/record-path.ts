import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'
import {
  createSink,
  type Consumer,
  type ConsumerListener,
  type Log,
  readConfig,
  type RecordBatch,
  type SinkRecord
} from '@keystamp/connector'
import { toPosition } from '@keystamp/core'
import { startEmulatorProcess } from '@keystamp/emulator'
import { listFiles, type RunFunctions } from './record-path/coverage.ts'

// Counts the source files through which a record passes, from the delivery of its fetched batch to the offset commit: the
// files of which V8 runs a function. The sink is in its steady state: JSON values, a plan, upserts, no rejected records,
// and a local Cosmos DB in another process. The consumer is a fake, so the files that talk to Kafka are not counted.
//   npm run record-path
const WARM_UP_BATCHES = 10
const MEASURED_BATCHES = 5
const BATCH_RECORDS = 100
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] }
const SILENT: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (facts, sentence) => console.error(sentence, facts)
}

// coverage does not count calls of functions that the optimizer has inlined
setFlagsFromString('--no-opt')
setFlagsFromString('--no-maglev')

const emulator = await startEmulatorProcess({ ranges: 4, ruPerSecond: 1_000_000, auth: 'off', operationLog: 0 })
try {
  await create('dbs', { id: 'd' })
  await create('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 } })
  print(await measureBatches())
} finally {
  await emulator.stop()
}

/** Functions that ran, for each measured batch. */
async function measureBatches(): Promise<RunFunctions[]> {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const consumer = createFakeConsumer()
  const service = await readConfig({ text: JSON.stringify(config()), name: 'sink.yaml' })
  const sink = createSink(service.sinks[0], { log: SILENT, createConsumer: () => consumer })
  void sink.ended.then(({ error }) => error && consumer.fail(error))
  await sink.start()
  const measured: RunFunctions[] = []
  for (let batch = 0; batch < WARM_UP_BATCHES + MEASURED_BATCHES; batch++) {
    take(session)
    const run = await consumer.deliver(batch * BATCH_RECORDS, () => take(session))
    if (batch >= WARM_UP_BATCHES) measured.push(run)
  }
  await sink.stop()
  session.disconnect()
  return measured
}

/**
 * Functions that ran since the last call. The callback runs synchronously, since the session belongs to this thread.
 */
function take(session: Session): RunFunctions {
  let run: RunFunctions | undefined
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error
    run = coverage.result.map(({ url, functions }) => ({
      url,
      // the unnamed function that begins at offset 0 is the module itself
      names: functions
        .filter(({ ranges: [whole] }) => whole.count > 0)
        .map(({ functionName, ranges: [{ startOffset }] }) => `${functionName}@${startOffset}`)
    }))
  })
  if (run === undefined) throw new Error('The inspector did not answer.')
  return run
}

interface FakeConsumer extends Consumer {
  /**
   * Delivers a batch that begins at this offset. When the offset after the batch is committed, calls `onCommit` and
   * resolves with its result.
   */
  readonly deliver: <T>(from: number, onCommit: () => T) => Promise<T>
  readonly fail: (error: Error) => void
}

function createFakeConsumer(): FakeConsumer {
  const partition = { topic: 'vehicles', partition: 0 }
  let listener: ConsumerListener
  let committed = 0
  let isCommitted: ((position: number) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  return {
    start: async (given) => {
      listener = given
      listener.assigned([partition])
    },
    pause: () => undefined,
    resume: () => undefined,
    deliverFrom: () => undefined,
    resumeDelayMs: 0,
    sessionTimeoutMs: 60_000,
    get lastHeartbeatMs() {
      return performance.now()
    },
    commit: async (commits) => {
      for (const { position } of commits) {
        committed = position
        isCommitted?.(position)
      }
      return commits
    },
    committed: async () => [{ ...partition, position: toPosition(committed), metadata: '' }],
    countPartitions: async () => 1,
    ends: async () => new Map(),
    stop: async () => undefined,
    deliver: (from, onCommit) =>
      new Promise((resolve, reject) => {
        fail = reject
        isCommitted = (position) => {
          if (position >= from + BATCH_RECORDS) resolve(onCommit())
        }
        listener.received(batchOf(partition, from))
      }),
    fail: (error) => fail?.(error)
  }
}

function batchOf(partition: Pick<SinkRecord, 'topic' | 'partition'>, from: number): RecordBatch {
  const next = toPosition(from + BATCH_RECORDS)
  const records = Array.from({ length: BATCH_RECORDS }, (_, index): SinkRecord => {
    const offset = from + index
    const value = {
      id: `event-${offset}`,
      deviceId: `device-${offset % 1000}`,
      date: '2018-08-09',
      speed: offset % 130,
      isMoving: offset % 2 === 0
    }
    return {
      ...partition,
      offset: toPosition(offset),
      timestamp: '1700000000000',
      key: Buffer.from(`event-${offset}`),
      value: Buffer.from(JSON.stringify(value)),
      headers: {}
    }
  })
  return { ...partition, records, from: toPosition(from), next, highWatermark: next }
}

function config(): object {
  return {
    name: 'record-path',
    kafka: { brokers: ['localhost:9092'], topics: ['vehicles'], group: 'record-path' },
    cosmos: { endpoint: emulator.endpoint, key: emulator.key, database: 'd', container: 'c' },
    plan: PLAN,
    commit: { everyRecords: BATCH_RECORDS }
  }
}

async function create(path: string, body: object): Promise<void> {
  const { ok, status } = await fetch(new URL(path, emulator.endpoint), { method: 'POST', body: JSON.stringify(body) })
  if (!ok) throw new Error(`The emulator answered ${status} to POST ${path}.`)
}

function print(batches: readonly RunFunctions[]): void {
  const { always, sometimes } = listFiles(batches, new URL('..', import.meta.url).href)
  for (const name of new Set(always.map(({ packageName }) => packageName))) {
    const files = always.filter(({ packageName }) => packageName === name)
    console.log(`${name}: ${files.length}`)
    for (const { path, functions } of files) console.log(`  ${path} (${functions} functions)`)
  }
  if (sometimes.length > 0)
    console.log(`only for some batches, for example timers: ${sometimes.map(({ path }) => path).join(', ')}`)
  console.log(`A record passes through ${always.length} files between the delivery of its batch and the commit.`)
}
