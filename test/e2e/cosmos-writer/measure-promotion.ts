import { Session } from 'node:inspector/promises'
import { partitionHash, rangesOf } from '@keystamp/core'
import { createWriter } from '@keystamp/cosmos'
import { startEmulator } from '@keystamp/emulator'

// Writes records, each in a request of its own, and prints how many bytes V8 promoted to the old generation for each
// request. Collects the young generation after a number of responses instead of a number of bytes, so the result
// depends neither on the speed of the machine nor on the size of the heap. Needs the option --expose-gc.

/** Requests in flight: one for each range. */
const IN_FLIGHT = 22
// Longer than a request lives, so that no request is in flight during two collections. But short enough that the table
// of a Set of all requests in flight would live through two collections, and so become old.
const RESPONSES_BETWEEN_COLLECTIONS = 25
const WARM_UP = 300
const REQUESTS = 400

const { gc: collect } = globalThis as unknown as { readonly gc: (options: { readonly type: 'minor' }) => void }
const emulator = await startEmulator({ ranges: IN_FLIGHT, throttle: false, auth: 'off', operationLog: 0 })
const { endpoint, key } = emulator
await create('dbs', { id: 'd' })
await create('dbs/d/colls', { id: 'c', partitionKey: { paths: ['/deviceId'], kind: 'Hash', version: 2 } })
const writer = await createWriter({ endpoint, key, database: 'd', container: 'c', share: 10_000_000 })
const records = rangesOf(IN_FLIGHT).map(({ min, max }) => recordBetween(min, max))
await write(WARM_UP)
const bytes = await promotedBytes(() => write(REQUESTS))
await writer.close()
await emulator.stop()
console.log(JSON.stringify({ bytesEach: bytes / REQUESTS }))

/** Writes the record of each range again as soon as the last write of this record is complete. */
function write(requests: number): Promise<void> {
  let sent = 0
  let responses = 0
  return new Promise((resolve, reject) => {
    const submit = (record: Buffer): void => {
      if (sent++ >= requests) return
      writer.submit({ kind: 'upsert', bytes: record }, (outcome) => {
        if (outcome instanceof Error || outcome.kind !== 'written') return reject(new Error('A write failed.'))
        if (++responses % RESPONSES_BETWEEN_COLLECTIONS === 0) collect({ type: 'minor' })
        if (responses === requests) resolve()
        submit(record)
      })
    }
    for (const record of records) submit(record)
  })
}

function recordBetween(min: string, max: string): Buffer {
  for (let n = 0; ; n++) {
    const hash = partitionHash([`d${n}`], { kind: 'Hash', version: 2, paths: ['/deviceId'] })
    if (hash >= min && hash < max) return Buffer.from(JSON.stringify({ id: `r${n}`, deviceId: `d${n}` }))
  }
}

/** Bytes of requests and responses that were allocated during `work` and survived the young generation. */
async function promotedBytes(work: () => Promise<void>): Promise<number> {
  const session = new Session()
  session.connect()
  const kept = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: false }
  await session.post('HeapProfiler.startSampling', { samplingInterval: 256, ...kept })
  await work()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  return bytesOfClient(profile.head)
}

interface Sampled {
  readonly callFrame: { readonly url: string }
  readonly selfSize: number
  readonly children: readonly Sampled[]
}

function bytesOfClient({ callFrame, selfSize, children }: Sampled, isInside = false): number {
  const counts = isInside || callFrame.url.includes('/cosmos/src/client/')
  return children.reduce((size, child) => size + bytesOfClient(child, counts), counts ? selfSize : 0)
}

async function create(path: string, body: object): Promise<void> {
  const answer = await fetch(new URL(path, endpoint), { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}
