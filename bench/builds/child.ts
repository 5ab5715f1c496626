import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type * as core from '@keystamp/core'
import type * as cosmos from '@keystamp/cosmos'
import type * as stream from '@keystamp/stream'
import { createTelemetry, startRegistry } from '@keystamp/testkit'
import { createDecoders, type Decoders } from '../decode/decoders.ts'
import { recordsOf } from '../decode/records.ts'
import { vehicleSchema } from '../decode/telemetry-schema.ts'
import { createKeyCase, RECORDS } from './key-cases.ts'

// Runs one workload with the packages of one checkout: warms up, then prints the microseconds of CPU time per record.
const [root = '', workload = '', endpoint = '', key = ''] = process.argv.slice(2)

const BY_DEVICE = {
  into: '/partitionKey',
  from: [{ field: '/deviceId' }, { field: '/date' }],
  existing: 'overwrite'
} as const

const WORKLOADS: Readonly<Record<string, () => Promise<number>>> = {
  objects,
  lines,
  array,
  bytes,
  avro: () => decoded('registry'),
  envelope: () => decoded('envelope'),
  writer
}

process.stdout.write(String(await (WORKLOADS[workload] ?? keyCase)()))
// the writer keeps its connections open for a while
process.exit()

async function objects(): Promise<number> {
  const { createPlan } = await load<typeof core>('core')
  const { stamp } = await load<typeof stream>('stream')
  const plan = createPlan(BY_DEVICE)
  const records = Array.from({ length: 1000 }, createTelemetry(1).big)
  return micros(400_000, (count) =>
    pipeline(
      Readable.from(repeated(records, count), { objectMode: true }),
      stamp(plan),
      new Writable({ objectMode: true, write: (_record, _encoding, done) => done() })
    )
  )
}

async function lines(): Promise<number> {
  const { createPlan } = await load<typeof core>('core')
  const { stampLines } = await load<typeof stream>('stream')
  const plan = createPlan(BY_DEVICE)
  const chunk = Buffer.from(
    `${Array.from({ length: 64 }, createTelemetry(2).big)
      .map((record) => JSON.stringify(record))
      .join('\n')}\n`
  )
  return micros(640_000, (count) =>
    pipeline(
      Readable.from(repeated([chunk], count / 64)),
      stampLines(plan),
      new Writable({ write: (_bytes, _encoding, done) => done() })
    )
  )
}

// indented, so that each element is put on one line
async function array(): Promise<number> {
  const { createPlan } = await load<typeof core>('core')
  const { stampArray } = await load<typeof stream>('stream')
  const plan = createPlan(BY_DEVICE)
  const records = Array.from({ length: 64 }, createTelemetry(2).big)
  const elements = Buffer.from(`${JSON.stringify(records, undefined, 2).slice(1, -1)},`)
  return micros(160_000, (count) =>
    pipeline(
      Readable.from(arrayOf(elements, count / 64)),
      stampArray(plan),
      new Writable({ write: (_bytes, _encoding, done) => done() })
    )
  )
}

async function bytes(): Promise<number> {
  const { createPlan, joinInto } = await load<typeof core>('core')
  const plan = createPlan(BY_DEVICE)
  const values = Array.from({ length: 1000 }, createTelemetry(3).big).map((record) =>
    Buffer.from(JSON.stringify(record))
  )
  const target = new Uint8Array(1 << 16)
  return micros(800_000, async (count) => {
    for (let done = 0; done < count; done += values.length) {
      for (const value of values) {
        const stamped = plan.stampBytes(value)
        if (!stamped.ok) throw new Error(stamped.message)
        joinInto(stamped, target, 0)
      }
    }
  })
}

/** Values in a format of the connector, decoded to JSON bytes. */
async function decoded(format: keyof Decoders): Promise<number> {
  const registry = await startRegistry()
  const { envelopes, frames } = recordsOf(registry.register('vehicles-value', JSON.stringify(vehicleSchema)))
  const decoders = await createDecoders(pathToFileURL(`${root}/connector/dist/index.js`).href, registry.url, frames[0])
  const values = format === 'envelope' ? envelopes : frames
  return micros(200_000, async (count) => {
    for (let done = 0; done < count; done += values.length) for (const value of values) decoders[format](value)
  })
}

async function writer(): Promise<number> {
  const { createPlan } = await load<typeof core>('core')
  const { createWriter } = await load<typeof cosmos>('cosmos')
  const plan = createPlan(BY_DEVICE)
  const records = Array.from({ length: 5000 }, createTelemetry(4).big).map((record, index) => ({
    kind: 'upsert' as const,
    record: { ...record, partitionKey: undefined, id: String(index) }
  }))
  const to = await createWriter({ endpoint, key, database: 'd', container: 'c', plan, share: 1_000_000 })
  return micros(100_000, async (count) => {
    for (let done = 0; done < count; done += records.length) {
      const outcomes = await Promise.all(records.map((each) => to.write(each)))
      if (outcomes.some(({ kind }) => kind !== 'written')) throw new Error('A record was not written.')
    }
  })
}

/** A case of `key-cases.ts`, such as `bytes/suffix`. */
async function keyCase(): Promise<number> {
  const [kind, name] = workload.split('/') as ['objects' | 'bytes', string]
  return micros(RECORDS[kind], createKeyCase(await load<typeof core>('core'), kind, name))
}

/** Measures the CPU time of `count` records, after a warm-up with a quarter of that number. */
async function micros(count: number, work: (count: number) => Promise<void>): Promise<number> {
  await work(count / 4)
  const before = process.cpuUsage()
  await work(count)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

function* arrayOf(elements: Buffer, count: number): Generator<Buffer> {
  yield Buffer.from('[')
  for (let done = 1; done < count; done++) yield elements
  yield Buffer.concat([elements.subarray(0, -1), Buffer.from(']')])
}

function* repeated<T>(values: readonly T[], count: number): Generator<T> {
  for (let done = 0; done < count; done++) yield values[done % values.length]
}

async function load<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(`${root}/packages/${name}/dist/index.js`).href)) as T
}
