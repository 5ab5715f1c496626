import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createPlan } from '@keystamp/core'
import { stampFiles } from '@keystamp/files'
import { stamp, stampArray, stampLines } from '@keystamp/stream'
// @ts-expect-error -- comes without types
import split2 from 'split2'
import chain from 'stream-chain'
import { parser } from 'stream-json'
import { streamArray } from 'stream-json/streamers/stream-array.js'

/** One implementation: from a file to a file, or over records in memory. */
export type Contestant = (input: string, output: string) => Promise<void>

interface Telemetry {
  readonly deviceId: string
  readonly date: number
}

const plan = createPlan({
  into: '/partitionKey',
  from: [{ field: '/deviceId' }, { field: '/date' }],
  existing: 'overwrite'
})
const keyOf = ({ deviceId, date }: Telemetry): string => `${deviceId}-${date}`

/** All contestants by name; a child process runs one of them. */
export const contestants: Readonly<Record<string, Contestant>> = {
  'split2, parse, spread, stringify': (input, output) =>
    pipeline([createReadStream(input), ...byHand(), createWriteStream(output)]),
  'stampLines, 64 KB': (input, output) =>
    pipeline(createReadStream(input), stampLines(plan), createWriteStream(output)),
  'stampLines, 256 KB': (input, output) =>
    pipeline(
      createReadStream(input, { highWaterMark: 1 << 18 }),
      stampLines(plan, { highWaterMark: 1 << 18 }),
      createWriteStream(output)
    ),
  'stampLines, a function of the record, 64 KB': (input, output) =>
    pipeline(
      createReadStream(input),
      stampLines(keyOf, { into: '/partitionKey', existing: 'overwrite' }),
      createWriteStream(output)
    ),
  stampFiles: async (input, output) => {
    await stampFiles(plan, { inputs: [input], output })
  },
  'copied by Node, 64 KB': (input, output) => pipeline(createReadStream(input), createWriteStream(output)),
  'stream-json as documented': (input, output) =>
    pipeline(chain([createReadStream(input), parser(), streamArray(), stringifyElement]), createWriteStream(output)),
  'stream-json, tuned': (input, output) =>
    pipeline(
      chain([
        createReadStream(input),
        parser({ packValues: true, streamValues: false }),
        streamArray(),
        stringifyElement
      ]),
      createWriteStream(output)
    ),
  'stampArray, 256 KB': (input, output) =>
    pipeline(
      createReadStream(input, { highWaterMark: 1 << 18 }),
      stampArray(plan, { highWaterMark: 1 << 18 }),
      createWriteStream(output)
    ),
  'stampFiles, array': async (input, output) => {
    await stampFiles(plan, { inputs: [input], output, form: 'array' })
  },
  'bare PassThrough': () => runObjects((sink) => [new PassThrough({ objectMode: true }), sink], 1),
  'no stage': () => runObjects((sink) => [sink], 1),
  'stamp, a record a chunk': () => runObjects((sink) => [stamp(plan), sink], 1),
  'no stage, arrays of 100': () => runObjects((sink) => [sink], 100),
  'stamp, arrays of 100': () => runObjects((sink) => [stamp(plan), sink], 100)
}

/** Number of records for the contestants over objects. */
export const OBJECTS = 1_000_000

function byHand(): Transform[] {
  return [
    split2() as Transform,
    new Transform({
      objectMode: true,
      transform: (line: string, _encoding, callback) => callback(null, JSON.parse(line))
    }),
    new Transform({
      objectMode: true,
      transform: (record: Telemetry, _encoding, callback) => callback(null, { ...record, partitionKey: keyOf(record) })
    }),
    new Transform({
      writableObjectMode: true,
      transform: (record, _encoding, callback) => callback(null, `${JSON.stringify(record)}\n`)
    })
  ]
}

function stringifyElement({ value }: { readonly value: unknown }): string {
  return `${JSON.stringify({ ...(value as Telemetry), partitionKey: keyOf(value as Telemetry) })}\n`
}

async function runObjects(stages: (sink: Writable) => readonly NodeJS.WritableStream[], batch: number): Promise<void> {
  let made = 0
  const make = (): object => ({ deviceId: DEVICES[made % DEVICES.length], date: 2018, speed: made++ })
  const source = new Readable({
    objectMode: true,
    read() {
      if (made >= OBJECTS) this.push(null)
      else this.push(batch === 1 ? make() : Array.from({ length: batch }, make))
    }
  })
  const sink = new Writable({ objectMode: true, write: (_chunk, _encoding, callback) => callback() })
  await pipeline([source, ...stages(sink)] as unknown as [Readable, Writable])
}

const DEVICES = Array.from({ length: 1000 }, (_, index) => `abc-${String(index).padStart(6, '0')}`)

/** Reads a file once, so that the time of a contestant does not include reading from disk. */
export async function warm(path: string): Promise<void> {
  const file = await open(path)
  const buffer = Buffer.alloc(1 << 20)
  while ((await file.read(buffer, 0, buffer.length, null)).bytesRead > 0);
  await file.close()
}
