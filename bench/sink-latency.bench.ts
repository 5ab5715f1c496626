import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { startEmulator } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/testkit'
import { startSinkProcess } from './sink/sink-process.ts'
import { PARTITIONS, startSinkWorld } from './sink/world.ts'

export const question = 'How long does a record take from its producer to the container at a low rate?'

const SECONDS = Number(process.env['KEYSTAMP_BENCH_SECONDS'] ?? 30)
const EVERY_MS = 100

/**
 * Sends ten records a second, and measures the time from sending a record until it is stored. The first seconds are a
 * warm-up.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  const emulator = await startEmulator({ ranges: 4, ruPerSecond: 1_000_000, auth: 'off' })
  try {
    await create(`${emulator.endpoint}dbs`, { id: 'd' })
    await create(`${emulator.endpoint}dbs/d/colls`, {
      id: 'c',
      partitionKey: { paths: ['/partitionKey'], kind: 'Hash', version: 2 }
    })
    const topic = `slow-${randomUUID()}`
    await world.kafka.createTopic(topic, { partitions: PARTITIONS })
    const sink = await startSinkProcess(world, { topic, endpoint: emulator.endpoint, key: emulator.key })
    const sent = await sendSlowly((value) => world.kafka.produce(topic, [{ key: randomUUID(), value }]))
    await setTimeout(500)
    const took = emulator.operations().flatMap(({ id, atMs }) => {
      const sentMs = sent.get(id)
      return sentMs === undefined ? [] : [atMs - sentMs]
    })
    report(
      `  ${took.length} of ${sent.size} records: p50 ${percentile(took, 0.5)} ms, p99 ${percentile(took, 0.99)} ms, at most ${Math.max(...took)} ms`
    )
    await sink.stop()
  } finally {
    await emulator.stop()
    await world.stop()
  }
}

async function sendSlowly(send: (value: Buffer) => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const { big } = createTelemetry(3)
  const sent = new Map<string, number>()
  for (let count = -WARM_UP; count < (SECONDS * 1000) / EVERY_MS; count++) {
    const record = { ...big(), partitionKey: undefined }
    const nextMs = performance.now() + EVERY_MS
    if (count >= 0) sent.set(record.id, Date.now())
    await send(Buffer.from(JSON.stringify(record)))
    await setTimeout(Math.max(0, nextMs - performance.now()))
  }
  return sent
}

const WARM_UP = 60

function percentile(values: readonly number[], share: number): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))]
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}
