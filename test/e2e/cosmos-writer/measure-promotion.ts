import { Session } from 'node:inspector/promises'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { startEmulatorProcess } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/testkit'

// Writes many records, and prints for each record how many bytes of its response V8 promoted to the old generation, in
// the best of a few rounds. Runs in a process of its own, with no other work than that of the writer. Other objects do
// not count: V8 allocates some of them in the old generation from the beginning.

const RECORDS = 10_000
// by then V8 has compiled all code, and the young generation has its final size
const WARM_UP = 30
const TIMES = 8
const ROUNDS = 3

const emulator = await startEmulatorProcess({ ranges: 4, throttle: false, auth: 'off', operationLog: 0, latencyMs: 5 })
const { endpoint, key } = emulator
await create('dbs', { id: 'd' })
await create('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/deviceId'], kind: 'Hash', version: 2 } })
const writer = await createWriter({ endpoint, key, database: 'd', container: 'c', share: 10_000_000 })
const { big } = createTelemetry(1)
const records = Array.from({ length: RECORDS }, () => Buffer.from(JSON.stringify(big())))
await write(writer, WARM_UP)
let bytes = Number.POSITIVE_INFINITY
for (let round = 0; round < ROUNDS; round++) bytes = Math.min(bytes, await oldBytes(() => write(writer, TIMES)))
await writer.close()
await emulator.stop()
console.log(JSON.stringify({ bytesEach: bytes / RECORDS / TIMES }))

async function write({ submit, hasRoom, room, flush }: Writer, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const record of records) {
      submit({ kind: 'upsert', bytes: record }, assertWritten)
      if (!hasRoom()) await room()
    }
    await flush()
  }
}

function assertWritten(outcome: { readonly kind?: string } | Error): void {
  if (outcome instanceof Error || outcome.kind !== 'written') throw new Error('A record was not written.')
}

/** Bytes of responses that were allocated during `work` and survived the young generation. */
async function oldBytes(work: () => Promise<void>): Promise<number> {
  const session = new Session()
  session.connect()
  const kept = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: false }
  await session.post('HeapProfiler.startSampling', { samplingInterval: 4096, ...kept })
  await work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return ofAnswers(profile.head)
}

interface Sampled {
  readonly callFrame: { readonly url: string }
  readonly selfSize: number
  readonly children: readonly Sampled[]
}

function ofAnswers({ callFrame, selfSize, children }: Sampled, isInside = false): number {
  const counts = isInside || callFrame.url.includes('/cosmos/src/client/')
  return children.reduce((size, child) => size + ofAnswers(child, counts), counts ? selfSize : 0)
}

async function create(path: string, body: object): Promise<void> {
  const answer = await fetch(new URL(path, endpoint), { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}
